import { useState } from "react";
import type { Turn } from "../../conversation/state.ts";
import { Card } from "../kit/layout/card.tsx";
import { Tabs } from "../kit/layout/tabs.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { formatDuration } from "../kit/text/format-number.ts";
import type { StreamGroup } from "./stream-log.ts";

interface InspectorProps {
  turn: Turn;
  stream: readonly StreamGroup[];
  siteUrl: string | null;
}

/** What is behind an answer: the passages that it was written from, and the stream that brought it. */
export function Inspector({ turn, stream, siteUrl }: InspectorProps) {
  const [view, setView] = useState<"passages" | "stream">("passages");
  const parts = stream.reduce((sum, group) => sum + group.parts.length, 0);
  return (
    <Card title="Inside" description={turn.question}>
      <Tabs
        label="What is behind the answer"
        tabs={[
          { name: "passages", label: "Passages", count: turn.results.length },
          { name: "stream", label: "Stream", count: parts },
        ]}
        current={view}
        onChange={setView}
      >
        {view === "passages" ? (
          <PassagesList turn={turn} siteUrl={siteUrl} />
        ) : (
          <StreamList groups={stream} />
        )}
      </Tabs>
    </Card>
  );
}

/** A part as it was sent is shown up to here; a browser that lays out more stands still. */
const CHARACTERS_MAX = 20_000;

/** The parts of a stream as they came. Deltas that follow each other are one entry; each opens to what was sent. */
function StreamList({ groups }: { groups: readonly StreamGroup[] }) {
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

/** The passages that were found for a question, best first, and which of them the answer cites. */
function PassagesList({ turn, siteUrl }: { turn: Turn; siteUrl: string | null }) {
  const { query, results, sources, status } = turn;
  if (results.length === 0)
    return (
      <p className="quiet">{status === "searching" ? "Nothing is found yet." : "No passage was found."}</p>
    );
  const isCited = (href: string) => sources.some(({ url }) => url.endsWith(href));
  return (
    <div className="stack">
      {query && query !== turn.question && (
        <p className="small">
          <span className="quiet">Searched for </span>
          {query}
        </p>
      )}
      <ol className="passages">
        {results.map((passage) => (
          <li key={passage.href + passage.content} className="passage">
            <div className="row-apart">
              {siteUrl === null ? (
                <strong>{passage.title}</strong>
              ) : (
                <a href={siteUrl + passage.href} target="_blank" rel="noreferrer">
                  {passage.title}
                </a>
              )}
              <span className="row">
                {isCited(passage.href) && <Badge tone="good">cited</Badge>}
                <span className="passage-score" title="Relevance, from 0 to 1">
                  {passage.score.toFixed(2)}
                </span>
              </span>
            </div>
            <div className="passage-meter" aria-hidden="true">
              <span style={{ width: `${Math.round(passage.score * 100)}%` }} />
            </div>
            <p className="small quiet mono">{passage.href}</p>
            <p className="small passage-text">{passage.content}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
