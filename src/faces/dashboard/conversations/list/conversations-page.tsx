import "../conversations.css";
import { splitSuggestions } from "@docent/kernel/text/suggestions";
import { useMemo } from "react";
import { withQuery } from "../../api.ts";
import { Button, ButtonLink, buttonClass } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Icon } from "../../kit/icons/icon.tsx";
import { MoreButton } from "../../kit/table/more-button.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { formatDuration } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { CALLER_WORDS, outcomeWords, writerWords } from "../../outcome-words.ts";
import { type ConversationList, type ListedTurn, siteAnalytics } from "../../replies.ts";
import { hrefOf, Link, navigate, useRoute } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { usePartList } from "../../use-paged-list.ts";
import { ConversationsHeader } from "../conversations-header.tsx";
import { Filters } from "./filters.tsx";
import { apiQuery, isNarrowed, type ListNarrowing, narrowingIn, pageQuery } from "./query.ts";

const PART = 50;
/** Keeps each part of the list whole: beside its turns, it tells how far back was searched. */
const partOf = (reply: ConversationList): ConversationList[] => [reply];

/** What readers asked, with what narrows it. */
export function ConversationsPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const narrowing = narrowingIn(query);
  const { shown, caller, days, text } = narrowing;
  // Another moment would be another list: it is the one in which the address was arrived at.
  const asked = useMemo(
    () => apiQuery({ shown, caller, days, text }, new Date()),
    [shown, caller, days, text],
  );
  const path = withQuery(`${siteAnalytics(site.domain)}/conversations`, { ...asked, limit: PART });
  const list = usePartList<ConversationList, ConversationList>(path, partOf);
  const turns = list.entries.flatMap(({ conversations }) => conversations);
  const lookedBackTo = list.entries.at(-1)?.lookedBackTo ?? null;
  const narrow = (next: ListNarrowing) => {
    const given = new URLSearchParams(Object.entries(pageQuery(next)).filter(([, value]) => value !== ""));
    navigate(`${sitePath(site, "conversations")}${given.size === 0 ? "" : `?${given}`}`, { replace: true });
  };
  const dateFrom = asked["dateFrom"] === undefined ? undefined : String(asked["dateFrom"]);
  const isEmpty = list.state === "ready" && turns.length === 0;

  return (
    <div className="stack-wide">
      <ConversationsHeader
        site={site}
        view="conversations"
        actions={<ExportLinks site={site} dateFrom={dateFrom} />}
      />
      <Filters narrowing={narrowing} onChange={narrow} />
      {list.state === "loading" && <Loading shape="rows" lines={6} label="Reading the conversations" />}
      {list.error && <Failed error={list.error} retry={list.retry} />}
      {turns.length > 0 && <TurnList site={site} turns={turns} />}
      {isEmpty && list.hasMore && (
        <p className="quiet" role="status">
          Nothing since <Time at={lookedBackTo} isWhole />. Older conversations have not been looked at yet.
        </p>
      )}
      {isEmpty && !list.hasMore && !isNarrowed(narrowing) && <NobodyAsked site={site} />}
      {isEmpty && !list.hasMore && isNarrowed(narrowing) && (
        <Empty
          icon="search"
          title="No such conversation"
          text="Nothing that was asked fits all of what you look for."
          action={
            <Button onClick={() => narrow({ shown: "all", caller: "", days: "", text: "" })}>Show all</Button>
          }
        />
      )}
      <MoreButton list={list} />
    </div>
  );
}

function NobodyAsked({ site }: { site: SiteView }) {
  return (
    <Empty
      icon="chat"
      title="Nobody has asked anything yet"
      text="Every question to this site shows up here with its answer, the passages behind it, and what its reader said."
      action={
        <ButtonLink kind="primary" icon="play" to={sitePath(site, "playground")}>
          Ask in the playground
        </ButtonLink>
      }
    />
  );
}

const FORMATS = [
  { format: "csv", label: "Export CSV", says: "Download all conversations of this time as CSV" },
  { format: "jsonl", label: "JSON Lines", says: "Download all conversations of this time as JSON Lines" },
];

/** Links to files with all conversations of a period: the list's other filters do not apply to them. */
function ExportLinks({ site, dateFrom }: { site: SiteView; dateFrom: string | undefined }) {
  return (
    <>
      {FORMATS.map(({ format, label, says }) => (
        <a
          key={format}
          className={buttonClass("plain", "normal")}
          href={hrefOf(withQuery(`${siteAnalytics(site.domain)}/export`, { format, dateFrom }))}
          download
          title={says}
        >
          <Icon name="download" size={17} />
          {label}
        </a>
      ))}
    </>
  );
}

const EXCERPT_CHARACTERS = 280;

/** A number in brackets, which leads to what it cites. */
const CITATION = / ?\[\[\d+\]\]\([^()\s]*\)?/g;

/** The beginning of an answer on one line, without the marks of Markdown. */
export function excerptOf(markdown: string): string {
  const plain = splitSuggestions(markdown)
    .text.replace(CITATION, "")
    .replace(/^\s*(?:```|~~~).*$/gm, " ")
    .replace(/!?\[([^\]]*)\]\([^()\s]*\)?/g, "$1")
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/gm, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= EXCERPT_CHARACTERS
    ? plain
    : `${plain.slice(0, EXCERPT_CHARACTERS).toWellFormed().trimEnd()}…`;
}

/** Questions, each with the beginning of its answer, how it ended, and what its reader said. */
function TurnList({ site, turns }: { site: SiteView; turns: readonly ListedTurn[] }) {
  return (
    <ol className="turn-list" aria-label="Conversations">
      {turns.map((turn) => (
        <li key={turn.id} className="turn-item">
          <Turn site={site} turn={turn} />
        </li>
      ))}
    </ol>
  );
}

function Turn({ site, turn }: { site: SiteView; turn: ListedTurn }) {
  const { id, question, answer, outcome, comment, askedAt, currentPath, caller, totalMs, cached } = turn;
  const { label, tone } = outcomeWords(outcome);
  const excerpt = excerptOf(answer);
  const writer = cached ? "from an earlier answer" : writerWords(turn);
  return (
    <article>
      <div className="turn-head">
        <h2 className="turn-question">
          <Link to={sitePath(site, "conversations", id)}>{question.trim() || "An empty question"}</Link>
        </h2>
        <span className="turn-marks">
          <Opinion turn={turn} />
          <Badge tone={tone}>{label}</Badge>
        </span>
      </div>
      {excerpt !== "" && <p className="turn-excerpt">{excerpt}</p>}
      {comment !== null && (
        <p className="turn-comment">
          <Icon name="chat" size={15} /> <q>{comment}</q>
        </p>
      )}
      <p className="turn-facts">
        <Time at={askedAt} />
        <span>{CALLER_WORDS[caller]}</span>
        {currentPath !== null && <span className="turn-path mono">/{currentPath}</span>}
        {writer !== "" && <span>{writer}</span>}
        {totalMs !== null && <span>{formatDuration(totalMs)}</span>}
      </p>
    </article>
  );
}

function Opinion({ turn: { helpful } }: { turn: ListedTurn }) {
  if (helpful === null) return null;
  return (
    <span className={helpful ? "turn-liked" : "turn-disliked"}>
      <Icon name={helpful ? "thumbUp" : "thumbDown"} size={16} />
      <span className="visually-hidden">{helpful ? "Found helpful." : "Found unhelpful."}</span>
    </span>
  );
}
