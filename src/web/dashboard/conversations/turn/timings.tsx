import { formatDuration } from "../../kit/text/format-number.ts";
import type { Turn } from "../replies.ts";
import { timingParts } from "./timing-parts.ts";

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
        <span>In all</span>
        <span className="timing-track timing-none" aria-hidden="true" />
        <span className="timing-value">{formatDuration(totalMs)}</span>
      </div>
    </div>
  );
}
