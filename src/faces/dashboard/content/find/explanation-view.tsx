import { useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { LedgerTable } from "../../kit/runs/ledger-table.tsx";
import { marksOf } from "../../kit/runs/run-words.ts";
import { Badge } from "../../kit/text/badge.tsx";
import { counted, formatNumber } from "../../kit/text/format-number.ts";
import type { Explanation } from "../../replies.ts";
import { Link } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { FoundPassages } from "./found-passages.tsx";
import { pageVerdict } from "./standing-words.ts";

interface ExplanationViewProps {
  site: SiteView;
  question: string;
  explanation: Explanation;
}

/** The number of passages behind the chosen ones that are shown: they say what it would take. */
const SHOWN_BEHIND = 5;

/** What a search did: the verdict first, then the page that was asked after, the words, and the passages. */
export function ExplanationView({ site, question, explanation }: ExplanationViewProps) {
  const { passages, page, proposed, pageSize } = explanation;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? passages.length : pageSize + SHOWN_BEHIND;
  const given = passages.filter(({ standing }) => standing === "listed").length;
  return (
    <>
      <Gate explanation={explanation} />
      {page && <FoundPage site={site} question={question} page={page} />}
      <Words explanation={explanation} />
      <Card
        title="Passages"
        description={
          proposed === 0
            ? "Neither way of searching proposed anything."
            : `${counted(proposed, "passage")} proposed, ${formatNumber(passages.length)} looked at word by word, ${formatNumber(given)} of at most ${pageSize} chosen for the answer.`
        }
      >
        {passages.length === 0 ? (
          <p className="quiet">
            Nothing to show: no passage has any of these words, and none is near in meaning.
          </p>
        ) : (
          <>
            <FoundPassages site={site} label="Passages" passages={passages.slice(0, shown)} />
            {passages.length > shown && (
              <div className="table-more">
                <Button onClick={() => setIsWhole(true)}>Show all {formatNumber(passages.length)}</Button>
              </div>
            )}
          </>
        )}
      </Card>
    </>
  );
}

/** Whether what was found is near enough to answer from. */
function Gate({ explanation: { gate, passages } }: { explanation: Explanation }) {
  const best = gate.best.toFixed(2);
  const least = gate.relevanceMin.toFixed(2);
  if (gate.passes)
    return (
      <Notice tone="good">
        Near enough to answer from: the best passage has a relevance of {best}, and {least} is needed.
      </Notice>
    );
  return (
    <Notice tone="warn">
      {passages.length === 0
        ? `Nothing was found, so the assistant says that the docs do not cover this.`
        : `Not near enough: the best passage has a relevance of ${best}, and ${least} is needed. A model may find more with other words; otherwise the assistant says that the docs do not cover this, and names the nearest pages.`}
    </Notice>
  );
}

/** The words that were searched, each with whether anything that was found has it. */
function Words({ explanation }: { explanation: Explanation }) {
  const { terms, corrected, phrases, names, hasVectors, passages } = explanation;
  const found = new Set(passages.flatMap(({ has }) => has));
  return (
    <Card
      title="Words that were searched"
      description="In all their forms, without those that every question has. Rare ones count for more."
    >
      <div className="stack">
        {terms.length === 0 && <p className="quiet">The question has only words that every question has.</p>}
        <ul className="content-words">
          {terms.map(({ word, term, passages: having }) => (
            <li key={term} className={found.has(word) ? "content-word" : "content-word content-word-unknown"}>
              <span>{word}</span>
              <span className="quiet small">
                {having > 0 && !found.has(word)
                  ? "in none of these passages"
                  : `in ${counted(having, "passage")}`}
              </span>
            </li>
          ))}
        </ul>
        <div className="row">
          {corrected.map((each) => (
            <Badge key={each.written} tone="warn">
              {each.written} is in no passage: searched for as {each.corrected}
            </Badge>
          ))}
          {[...new Set([...phrases, ...names])].map((name) => (
            <Badge key={name} tone="accent">
              to the letter: {name}
            </Badge>
          ))}
          {!hasVectors && <Badge tone="warn">Searched by words alone: the question has no vector</Badge>}
        </div>
      </div>
    </Card>
  );
}

interface FoundPageProps {
  site: SiteView;
  question: string;
  page: NonNullable<Explanation["page"]>;
}

/** Where the page stands that somebody asked after, and why it is not higher. */
function FoundPage({ site, question, page }: FoundPageProps) {
  return (
    <Card title="The page that should be found" description={<span className="mono">/{page.path}</span>}>
      <div className="stack">
        {page.pages.map((each) => {
          const { tone, text } = pageVerdict(each, question);
          const marks = marksOf(each).join(", ");
          return (
            <section key={`${each.version} ${each.language} ${each.source}`} className="stack">
              <Notice tone={tone}>
                <strong>{[each.title, marks].filter(Boolean).join(" · ")}</strong> {text}
              </Notice>
              {each.ranked.length > 0 && (
                <details className="more-fields">
                  <summary>Its passages beside this question</summary>
                  <FoundPassages site={site} label={`Passages of ${each.title}`} passages={each.ranked} />
                </details>
              )}
            </section>
          );
        })}
        {page.pages.length === 0 && <NotThere site={site} page={page} />}
      </div>
    </Card>
  );
}

function NotThere({ site, page }: Pick<FoundPageProps, "site" | "page">) {
  if (page.ledger.length === 0)
    return (
      <Notice tone="bad">
        The index has no such page, and no source has met it. Look at its path, or{" "}
        <Link to={sitePath(site, "content")}>add the source</Link> that it is in.
      </Notice>
    );
  return (
    <>
      <Notice tone="bad">
        The index has no such page. This is what was noted of it when its source was read:
      </Notice>
      <LedgerTable label="What was noted" entries={page.ledger} />
    </>
  );
}
