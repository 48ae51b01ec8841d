import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Time } from "../kit/text/time.tsx";
import { REASON_WORDS } from "../outcome-words.ts";
import { type Gap, type GapWithQuestions, siteAnalytics } from "../replies.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";

/** The questions that a gap is made of, each leading to its conversation. */
export function GapQuestions({ site, gap }: { site: SiteView; gap: Gap }) {
  const path = `${siteAnalytics(site.domain)}/gaps/${encodeURIComponent(gap.id)}`;
  const read = useResource<GapWithQuestions>(path);
  if (read.state === "loading") return <Loading lines={2} label="Reading the questions" />;
  if (read.state === "failed") return <Failed error={read.error} retry={() => void read.reload()} />;
  const { questions, count } = read.data;
  return (
    <>
      <ul className="gap-questions" aria-label={`Questions about ${gap.question}`}>
        {questions.map(({ messageId, question, askedAt, reason }) => (
          <li key={messageId}>
            <Link to={sitePath(site, "conversations", messageId)}>{question}</Link>
            <span className="small quiet">
              <Time at={askedAt} /> · {REASON_WORDS[reason].label.toLowerCase()}
            </span>
          </li>
        ))}
      </ul>
      {count > questions.length && (
        <p className="small quiet">
          These are the newest {questions.length} of {count}.
        </p>
      )}
    </>
  );
}
