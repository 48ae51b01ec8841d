import type { ReactNode } from "react";
import { Card } from "../../kit/layout/card.tsx";
import { formatDuration, formatNumber } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { CALLER_WORDS, writerWords } from "../../outcome-words.ts";
import type { Turn } from "../../replies.ts";
import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";

/** Who asked, what answered, how large the prompt was and how long it took. */
export function FactsCard({ site, turn }: { site: SiteView; turn: Turn }) {
  return (
    <Card title="How it came about">
      <div className="stack">
        <dl className="facts">
          {factsOf(site, turn).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Timings timings={turn.timings} />
      </div>
    </Card>
  );
}

function factsOf(site: SiteView, turn: Turn): [name: string, value: ReactNode][] {
  const { currentPath, filter, reader, caller, generation, cached } = turn;
  const narrowed = [
    filter.version && `version ${filter.version}`,
    filter.language && `language ${filter.language}`,
    filter.tag && `tag ${filter.tag}`,
    filter.groups.length > 0 && filter.groups.join(", "),
  ].filter((each) => each !== null && each !== "" && each !== false);
  const facts: [name: string, value: ReactNode, isKnown: boolean][] = [
    ["Asked", <Time key="at" at={turn.askedAt} isWhole />, true],
    ["From", CALLER_WORDS[caller], true],
    [
      "On the page",
      <Link key="page" to={indexedPagePath(site, currentPath ?? "")}>
        /{currentPath}
      </Link>,
      currentPath !== null,
    ],
    ["Narrowed to", narrowed.join(", "), narrowed.length > 0],
    [
      "Reader",
      <span key="reader" className="mono wrap-anywhere">
        {reader}
      </span>,
      reader !== "anonymous",
    ],
    ["Written by", writerWords(turn), writerWords(turn) !== ""],
    ["Given again", "from an earlier answer to the same question", cached],
    ["Prompt", promptWords(turn), turn.promptTokens !== null || turn.promptTokensEstimated !== null],
    ["Answer", `${formatNumber(turn.completionTokens ?? 0)} tokens`, turn.completionTokens !== null],
    ["Generation", String(generation), generation !== null],
  ];
  return facts.filter(([, , isKnown]) => isKnown).map(([name, value]) => [name, value]);
}

function promptWords({ promptTokens, promptTokensEstimated }: Turn): string {
  const counted = promptTokens === null ? "" : `${formatNumber(promptTokens)} tokens`;
  const estimated = promptTokensEstimated === null ? "" : `${formatNumber(promptTokensEstimated)} estimated`;
  return [counted, estimated].filter((words) => words !== "").join(", ");
}

/** Where an answer's time went, as bars one behind the other. */
function Timings({ timings }: { timings: Turn["timings"] }) {
  const { totalMs } = timings;
  if (totalMs === null) return <p className="quiet">Not known: the answer has not ended.</p>;
  const parts = timingParts(timings);
  const whole = Math.max(totalMs, 1);
  return (
    <div className="timings">
      {parts.map(({ name, label, fromMs, ms }) => (
        <div key={name} className="timing">
          <span>{label}</span>
          <span className="timing-track" aria-hidden="true">
            <i
              className={`timing-bar timing-${name}`}
              style={{ left: `${(fromMs / whole) * 100}%`, width: `${Math.max((ms / whole) * 100, 0.6)}%` }}
            />
          </span>
          <span className="timing-value">{formatDuration(ms)}</span>
        </div>
      ))}
      <div className="timing timing-total">
        <span>Total</span>
        <span className="timing-track timing-none" aria-hidden="true" />
        <span className="timing-value">{formatDuration(totalMs)}</span>
      </div>
    </div>
  );
}

/** A stretch of the time that an answer took. */
interface TimingPart {
  name: "search" | "rewriting" | "queue" | "reading" | "writing";
  label: string;
  fromMs: number;
  ms: number;
}

/** What an answer's time was spent on, one after the other: nothing of it is counted twice, and none is longer than all. */
export function timingParts({
  retrievalMs,
  rewriteMs,
  queueMs,
  firstTokenMs,
  totalMs,
}: Turn["timings"]): TimingPart[] {
  const totalOr0 = totalMs ?? 0;
  const until = (ms: number) => Math.min(Math.max(ms, 0), totalOr0);
  const searched = until(retrievalMs ?? 0);
  const rewritten = until(searched + (rewriteMs ?? 0));
  const admitted = until(rewritten + (queueMs ?? 0));
  const begun = Math.max(admitted, until(firstTokenMs ?? totalOr0));
  const parts: TimingPart[] = [
    { name: "search", label: "Searching", fromMs: 0, ms: searched },
    { name: "rewriting", label: "Rephrasing", fromMs: searched, ms: rewritten - searched },
    { name: "queue", label: "In the queue", fromMs: rewritten, ms: admitted - rewritten },
    { name: "reading", label: "Reading, thinking", fromMs: admitted, ms: begun - admitted },
    { name: "writing", label: "Writing", fromMs: begun, ms: totalOr0 - begun },
  ];
  return parts.filter(({ ms }) => ms > 0);
}
