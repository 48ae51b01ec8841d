import { splitSuggestions } from "@docent/kernel/text/suggestions";
import { Icon } from "../../kit/icons/icon.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { formatDuration } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { CALLER_WORDS, outcomeWords, writerWords } from "../../outcome-words.ts";
import type { ListedTurn } from "../../replies.ts";
import { Link } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";

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
export function TurnList({ site, turns }: { site: SiteView; turns: readonly ListedTurn[] }) {
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
