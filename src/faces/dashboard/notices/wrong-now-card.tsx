import { Button } from "../kit/buttons/button.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { type PresentNotices, WRONG_NOW } from "../replies.ts";
import { Link } from "../router.ts";
import type { Resource } from "../use-resource.ts";
import { KIND_WORDS, placeOf } from "./notice-words.ts";
import "./notices.css";

/** What is wrong now, whether or not anybody is told of it. */
export function WrongNowCard({ present }: { present: Resource<PresentNotices> }) {
  return (
    <Card
      title="Wrong now"
      description="What a destination would be told of, as it is now."
      actions={
        <Button size="small" icon="refresh" busy={present.isReloading} onClick={() => void present.reload()}>
          Look again
        </Button>
      }
    >
      <Loaded of={present} label="Looking for what is wrong" lines={2}>
        {({ wrong }) =>
          wrong.length === 0 ? (
            <p className="small quiet wrong-now-none">Nothing is wrong.</p>
          ) : (
            <ul className="wrong-now">
              {wrong.map((each) => (
                <li key={`${each.kind} ${each.url} ${each.title} ${each.text}`}>
                  <div className="row-apart">
                    <Title {...each} />
                    <Badge tone="warn">{KIND_WORDS[each.kind].label}</Badge>
                  </div>
                  <p className="small quiet wrong-now-text">{each.text}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Title({ title, url }: Pick<PresentNotices["wrong"][number], "title" | "url">) {
  const place = placeOf(url);
  return place === undefined ? <strong>{title}</strong> : <Link to={place}>{title}</Link>;
}

/** Why nothing is sent, and what to do instead. */
export function SealedNotice() {
  return (
    <Notice>
      This server is sealed: it connects to Ollama and its database alone, and sends no notices. What they
      would say stands here. A program inside of your network can fetch it with an admin key that may read, at{" "}
      <code className="wrap-anywhere">{WRONG_NOW}</code>, or with the command <code>docent notices now</code>.
    </Notice>
  );
}
