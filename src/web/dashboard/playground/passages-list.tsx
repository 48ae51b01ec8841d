import type { Turn } from "../../conversation/state.ts";
import { Badge } from "../kit/text/badge.tsx";

/** The passages that were found for a question, best first, and which of them the answer cites. */
export function PassagesList({ turn, siteUrl }: { turn: Turn; siteUrl: string | null }) {
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
