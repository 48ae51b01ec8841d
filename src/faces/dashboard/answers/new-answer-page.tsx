import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { type Answer, type GapWithQuestions, siteAnalytics, siteOperations, type Turn } from "../replies.ts";
import { Link, useRoute } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { AnswerEditor } from "./answer-editor.tsx";
import { type AnswerDraft, freeName, nameOfQuestion } from "./answer-file.ts";
import "./answers.css";

const EMPTY: AnswerDraft = { name: "", questions: "", markdown: "", version: "", language: "" };

/** A new answer: of nothing, of a conversation (`?from=`), or of a gap (`?gap=`). */
export function NewAnswerPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const from = query.get("from") || null;
  const gapId = query.get("gap") || null;
  const analytics = siteAnalytics(site.domain);
  const answers = useResource<Answer[]>(`${siteOperations(site.domain)}/answers`);
  const turn = useResource<Turn>(
    from === null ? null : `${analytics}/conversations/${encodeURIComponent(from)}`,
  );
  const gap = useResource<GapWithQuestions>(
    gapId === null ? null : `${analytics}/gaps/${encodeURIComponent(gapId)}`,
  );
  const failed = [answers, turn, gap].find((each) => each.state === "failed");
  const isReady =
    answers.state === "ready" &&
    (from === null || turn.state === "ready") &&
    (gapId === null || gap.state === "ready");
  const taken = (answers.data ?? []).filter(({ source }) => source === null);
  return (
    <div className="stack-wide">
      <PageHeader title="Write an answer" of={site.name} />
      {!site.mayChange && (
        <Notice tone="quiet">You can look at this site. An owner can write answers.</Notice>
      )}
      {failed?.error && <Failed error={failed.error} retry={() => void failed.reload()} />}
      {!isReady && !failed && <Loading lines={8} label="Reading what is there" />}
      {turn.data && (
        <Notice tone="quiet">
          Made from <Link to={sitePath(site, "conversations", turn.data.id)}>a conversation</Link>. Read it
          through: once it is saved, readers get exactly this.
        </Notice>
      )}
      {gap.data && (
        <Notice tone="quiet">
          For a gap that was asked {gap.data.count === 1 ? "once" : `${gap.data.count} times`}.
          {gap.data.nearest !== null && (
            <> The page that comes nearest is “{gap.data.nearest.title || gap.data.nearest.path}”.</>
          )}
        </Notice>
      )}
      {isReady && site.mayChange && (
        <AnswerEditor
          site={site}
          draft={draftOf(
            turn.data,
            gap.data,
            taken.map(({ name }) => name),
          )}
          taken={taken}
        />
      )}
    </div>
  );
}

function draftOf(
  turn: Turn | undefined,
  gap: GapWithQuestions | undefined,
  taken: readonly string[],
): AnswerDraft {
  if (turn) {
    const { name, questions, markdown, version, language } = turn.drafts.answer;
    return { name: freeName(name, taken), questions: questions.join("\n"), markdown, version, language };
  }
  if (gap) {
    const questions = [gap.question, ...gap.examples].map(oneLine);
    const name = freeName(nameOfQuestion(gap.question), taken);
    return { ...EMPTY, name, questions: questions.join("\n") };
  }
  return EMPTY;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
