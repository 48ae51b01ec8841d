import { useApi } from "../../api.ts";
import { ButtonLink, buttonClass, IconButton } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Icon } from "../../kit/icons/icon.tsx";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { actionsColumn, type Column, Table } from "../../kit/table/table.tsx";
import { Time } from "../../kit/text/time.tsx";
import { type EvaluationQuestion, siteAnalytics } from "../../replies.ts";
import { hrefOf, Link } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useAttempt } from "../../use-attempt.ts";
import { useResource } from "../../use-resource.ts";
import { ConversationsHeader } from "../conversations-header.tsx";
import "../conversations.css";

/** The questions that were kept to measure with. */
export function EvaluationPage({ site }: { site: SiteView }) {
  const path = `${siteAnalytics(site.domain)}/evaluation`;
  const questions = useResource<EvaluationQuestion[]>(path);
  const drop = useDrop(site, () => void questions.reload());
  const isFilled = questions.state === "ready" && questions.data.length > 0;
  return (
    <div className="stack-wide">
      <ConversationsHeader site={site} view="evaluation" actions={isFilled && <DownloadSet site={site} />} />
      <Loaded of={questions} shape="rows" label="Reading the questions" />
      {isFilled && (
        <>
          <p className="quiet small">
            Save the file and run <code>docent eval questions.jsonl --site {site.domain}</code>.
          </p>
          <Table
            label="Evaluation questions"
            rows={questions.data}
            columns={columnsOf(site, drop)}
            keyOf={({ id }) => id}
          />
        </>
      )}
      {questions.state === "ready" && questions.data.length === 0 && (
        <Empty
          icon="chart"
          title="No questions to measure with yet"
          text="Open a conversation and press Keep for evaluation. Thirty questions show what is wrong; a hundred show whether a change made it better."
          action={<ButtonLink to={sitePath(site, "conversations")}>Look through conversations</ButtonLink>}
        />
      )}
    </div>
  );
}

function DownloadSet({ site }: { site: SiteView }) {
  return (
    <a
      className={buttonClass("primary", "normal")}
      href={hrefOf(`${siteAnalytics(site.domain)}/evaluation-set`)}
      download
    >
      <Icon name="download" size={17} />
      Download for docent eval
    </a>
  );
}

function columnsOf(site: SiteView, drop: (question: EvaluationQuestion) => void) {
  const columns: Column<EvaluationQuestion>[] = [
    {
      title: "Question",
      cell: ({ question, messageId }) =>
        messageId === null ? (
          question
        ) : (
          <Link to={sitePath(site, "conversations", messageId)}>{question}</Link>
        ),
    },
    {
      title: "Should find",
      cell: ({ expected }) => (
        <span className="place mono small">
          {expected.map((place) => (
            <span key={place} className="wrap-anywhere">
              {place}
            </span>
          ))}
        </span>
      ),
    },
    {
      title: "Kind",
      isNarrow: true,
      cell: ({ subset, version, language }) =>
        [subset, version, language].filter((each) => each !== "").join(", "),
    },
    { title: "Kept", isNarrow: true, cell: ({ addedAt }) => <Time at={addedAt} /> },
  ];
  if (!site.mayChange) return columns;
  columns.push(
    actionsColumn((question) => (
      <IconButton
        icon="trash"
        size="small"
        label={`Drop “${question.question}”`}
        onClick={() => drop(question)}
      />
    )),
  );
  return columns;
}

function useDrop(site: SiteView, onDropped: () => void): (question: EvaluationQuestion) => void {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const drop = async ({ id, question }: EvaluationQuestion) => {
    const isAgreed = await confirm({
      title: "Drop this question?",
      text: <q>{question}</q>,
      action: "Drop it",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${siteAnalytics(site.domain)}/evaluation/${encodeURIComponent(id)}`);
      toast("The question was dropped.");
      onDropped();
    });
  };
  return (question) => void drop(question);
}
