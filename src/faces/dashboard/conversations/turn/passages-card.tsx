import { Icon } from "../../kit/icons/icon.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import type { Turn, TurnPassage } from "../../replies.ts";
import { Link, pathTo } from "../../router.ts";
import { indexedPagePath, type SiteView, sitePath } from "../../site-view.ts";

/** What was found for the question, the most relevant first as it was given to whoever answered. */
export function PassagesCard({ site, turn }: { site: SiteView; turn: Turn }) {
  const { passages, otherCitations } = turn;
  const cited = passages.filter(({ citedUrl }) => citedUrl !== null).length;
  return (
    <Card
      title="What was found"
      description={
        passages.length === 0
          ? undefined
          : `${passages.length === 1 ? "1 passage" : `${passages.length} passages`}, ${cited} cited`
      }
    >
      {passages.length === 0 && <NothingFound site={site} turn={turn} />}
      {passages.length > 0 && (turn.outcome === "unanswered" || turn.outcome === "touched") && (
        <NotEnough site={site} turn={turn} />
      )}
      <ol className="found-passages">
        {passages.map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a passage may have been found twice, and the list never changes.
          <li key={index}>
            <Passage site={site} passage={passage} />
          </li>
        ))}
      </ol>
      {otherCitations.length > 0 && (
        <div className="stack">
          <h3 className="small quiet">The answer also leads to</h3>
          <ul className="plain-list">
            {otherCitations.map((url) => (
              <li key={url} className="wrap-anywhere">
                <a href={safeUrl(url)} target="_blank" rel="noreferrer noopener">
                  {url}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

function NothingFound({ site, turn }: { site: SiteView; turn: Turn }) {
  if (turn.curated !== null)
    return (
      <p className="quiet">
        Nothing was searched for: the answer{" "}
        <Link to={`${sitePath(site, "answers", "edit")}?name=${encodeURIComponent(turn.curated)}`}>
          {turn.curated}
        </Link>{" "}
        was given as it is.
      </p>
    );
  return <p className="quiet">No passage of this site was about the question.</p>;
}

function NotEnough({ site, turn }: { site: SiteView; turn: Turn }) {
  const find = pathTo(["dashboard", site.organizationName, site.domain, "content", "find"], {
    question: turn.searched ?? turn.question,
  });
  return (
    <p className="quiet">
      None of them was relevant enough to answer from. <Link to={find}>See how much it takes</Link>, and which
      words they have and lack.
    </p>
  );
}

const PAGE_WORDS = { changed: "Page changed since", gone: "Page is gone" } as const;

function Passage({ site, passage }: { site: SiteView; passage: TurnPassage }) {
  const { path, anchor, relevance, citedUrl, page, content } = passage;
  const title = content?.title || path || "First page";
  return (
    <article className="found-passage">
      <div className="row-apart">
        <h3 className="found-title">
          <Link to={indexedPagePath(site, path)}>{title}</Link>
        </h3>
        <span className="row">
          {citedUrl !== null && <Badge tone="good">Cited</Badge>}
          {page !== "same" && <Badge tone="warn">{PAGE_WORDS[page]}</Badge>}
          <Relevance value={relevance} />
        </span>
      </div>
      <p className="small quiet wrap-anywhere">
        {content !== null && content.headingPath.length > 1
          ? content.headingPath.slice(1).join(" › ")
          : `/${path}${anchor === "" ? "" : `#${anchor}`}`}
        {citedUrl !== null && (
          <a className="found-open" href={safeUrl(citedUrl)} target="_blank" rel="noreferrer noopener">
            <Icon name="external" size={14} />
            <span className="visually-hidden">Open where readers see it</span>
          </a>
        )}
      </p>
      {content === null ? (
        <p className="small quiet">What it said is kept no more: that generation is gone.</p>
      ) : (
        <details className="found-text">
          <summary>{firstWords(content.text)}</summary>
          <p>{content.text}</p>
        </details>
      )}
    </article>
  );
}

/** The passage's relevance, as a bar and a number. */
function Relevance({ value }: { value: number }) {
  return (
    <span className="relevance" title="Relevance, from 0 to 1">
      <meter min={0} max={1} value={value} aria-hidden="true" />
      <span className="visually-hidden">Relevance </span>
      {value.toFixed(2)}
    </span>
  );
}

const FIRST_CHARACTERS = 160;

const firstWords = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= FIRST_CHARACTERS ? line : `${line.slice(0, FIRST_CHARACTERS).toWellFormed()}…`;
};

/** The address of a passage's page, where it is one of the web: pages are not trusted with any other. */
const safeUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined);
