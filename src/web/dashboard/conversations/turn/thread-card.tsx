import { Card } from "../../kit/layout/card.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import { outcomeWords } from "../../outcome-words.ts";
import type { Turn } from "../../replies.ts";
import { Link } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";

/** The other questions of the same conversation, in their order. */
export function ThreadCard({ site, turn }: { site: SiteView; turn: Turn }) {
  const isAlone = turn.thread.every(({ id }) => id === turn.id);
  if (isAlone) return null;
  return (
    <Card title="The whole conversation">
      <ol className="thread-turns">
        {turn.thread.map(({ id, question, askedAt, outcome }) => {
          const { label, tone } = outcomeWords(outcome);
          return (
            <li key={id} aria-current={id === turn.id ? "true" : undefined}>
              {id === turn.id ? (
                <strong className="wrap-anywhere">{question}</strong>
              ) : (
                <Link className="wrap-anywhere" to={sitePath(site, "conversations", id)}>
                  {question}
                </Link>
              )}
              <span className="row small quiet">
                <Time at={askedAt} />
                <Badge tone={tone}>{label}</Badge>
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
