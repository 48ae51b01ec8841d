import { useApi } from "../api.ts";
import { Button, ButtonLink } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { Badge } from "../kit/text/badge.tsx";
import type { Answer } from "../replies.ts";
import { navigate, useRoute } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { sentence } from "../text.ts";
import { useAttempt } from "../use-attempt.ts";
import { useResource } from "../use-resource.ts";
import { AnswerEditor, Preview } from "./answer-editor.tsx";
import { answerEditorPath, answerFile, answerPath } from "./answer-file.ts";
import "./answers.css";

/** One answer, by its name and what it is for: `?name=`, `&version=`, `&language=`. */
export function EditAnswerPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const name = query.get("name") ?? "";
  const answers = useResource<Answer[]>(name === "" ? null : answerPath(site.domain, name));
  const all = answers.data ?? [];
  const answer = all.find((each) => isMeant(each, query)) ?? all[0];
  const isMissing = name === "" || (answers.state === "failed" && answers.error.status === 404);
  return (
    <div className="stack-wide">
      <PageHeader
        title="Curated answer"
        of={site.name}
        description={<span className="mono">{name}</span>}
        actions={
          answer && (
            <>
              <ButtonLink icon="play" to={sitePath(site, "playground")}>
                Try other wordings
              </ButtonLink>
              {site.mayChange && answer.source === null && <DeleteAnswer site={site} answers={all} />}
            </>
          )
        }
      />
      {isMissing && (
        <Empty
          icon="answer"
          title="There is no answer of that name"
          text="It was deleted, or its file is gone from its source."
          action={<ButtonLink to={sitePath(site, "answers")}>All answers</ButtonLink>}
        />
      )}
      {!isMissing && answers.state === "loading" && <Loading lines={8} label="Reading the answer" />}
      {!isMissing && answers.state === "failed" && (
        <Failed error={answers.error} retry={() => void answers.reload()} />
      )}
      {answer && <AnswerView site={site} answer={answer} />}
    </div>
  );
}

function isMeant({ version, language }: Answer, query: URLSearchParams): boolean {
  return version === (query.get("version") ?? "") && language === (query.get("language") ?? "");
}

function AnswerView({ site, answer }: { site: SiteView; answer: Answer }) {
  const { name, questions, markdown, version, language, source, concerns } = answer;
  const mayEdit = site.mayChange && source === null;
  const isOutdated = concerns.some((concern) => concern.startsWith("page changed"));
  return (
    <>
      {concerns.length > 0 && (
        <Notice tone="warn">
          <span className="answer-concerns">
            {concerns.map((concern) => (
              <span key={concern}>{sentence(concern)}</span>
            ))}
          </span>
          {mayEdit && isOutdated && (
            <span>If the answer is still true, save it as it is: then it is known to be looked at.</span>
          )}
        </Notice>
      )}
      {source !== null && (
        <Notice tone="quiet">
          It comes with the docs, from <span className="mono wrap-anywhere">{source}</span>. Change its file
          there, and read the source again.
        </Notice>
      )}
      {mayEdit ? (
        <AnswerEditor
          key={`${version}\0${language}`}
          site={site}
          edited={answer}
          draft={{ name, questions: questions.join("\n"), markdown: markdown.trim(), version, language }}
          taken={[]}
        />
      ) : (
        <Card title="What readers see">
          <div className="stack">
            <div className="row">
              {questions.slice(1).map((question) => (
                <Badge key={question}>{question}</Badge>
              ))}
            </div>
            <Preview site={site} question={questions[0]} markdown={markdown} />
          </div>
        </Card>
      )}
    </>
  );
}

/** Deletes every version and language of an answer. Undo in the message puts them back. */
function DeleteAnswer({ site, answers }: { site: SiteView; answers: readonly Answer[] }) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const own = answers.filter(({ source }) => source === null);
  const name = own[0]?.name ?? "";
  const path = answerPath(site.domain, name);
  const attempt = useAttempt();
  const putBack = async () => {
    for (const { questions, markdown, frontMatter, version, language } of own)
      await api.put(path, { markdown: answerFile(questions, markdown, frontMatter), version, language });
    toast("The answer is back.");
    if (own[0]) navigate(answerEditorPath(site, own[0]));
  };
  const remove = async () => {
    const isAgreed = await confirm({
      title: `Delete ${name}?`,
      text:
        own.length > 1
          ? `All ${own.length} versions and languages of it go. Its question is answered from the docs again.`
          : "Its question is answered from the docs again.",
      action: "Delete the answer",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(path);
      navigate(sitePath(site, "answers"), { replace: true });
      toast("The answer was deleted.", { action: { label: "Undo", run: () => void attempt(putBack) } });
    });
  };
  return (
    <Button kind="danger" icon="trash" onClick={() => void remove()}>
      Delete
    </Button>
  );
}
