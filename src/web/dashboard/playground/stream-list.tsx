import { formatDuration } from "../kit/text/format-number.ts";
import type { StreamGroup } from "./stream-log.ts";

/** A part as it was sent is shown up to here; a browser that lays out more stands still. */
const CHARACTERS_MAX = 20_000;

/** The parts of a stream as they came. Deltas that follow each other are one entry; each opens to what was sent. */
export function StreamList({ groups }: { groups: readonly StreamGroup[] }) {
  if (groups.length === 0) return <p className="quiet">Nothing has come yet.</p>;
  return (
    <ol className="stream">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end.
        <li key={index}>
          <details className="stream-part">
            <summary>
              <span className="stream-time">{formatDuration(group.atMs)}</span>
              <span className="stream-type">{group.type}</span>
              {group.parts.length > 1 && (
                <span className="stream-count">
                  × {group.parts.length} in {formatDuration(group.untilMs - group.atMs)}
                </span>
              )}
              {group.text !== "" && <span className="stream-gist truncate">{group.text}</span>}
            </summary>
            <pre>{wireOf(group)}</pre>
          </details>
        </li>
      ))}
    </ol>
  );
}

function wireOf({ parts }: StreamGroup): string {
  const text = parts.map((part) => `data: ${part}`).join("\n");
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}\n…` : text;
}
