import { formatDuration } from "../../kit/text/format-number.ts";
import type { Turn } from "../../replies.ts";

/** Where an answer's time went, as bars one behind the other. */
export function Timings({ timings }: { timings: Turn["timings"] }) {
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
