import { splitSuggestions } from "@docent/kernel/text/suggestions";
import { useState } from "react";
import { MarkdownText, ReadNext } from "../../kit/answer/markdown-text.tsx";
import { Button, ButtonLink } from "../../kit/buttons/button.tsx";
import { EvaluationDialog } from "../../kit/evaluation-dialog.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Icon } from "../../kit/icons/icon.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { PageHeader } from "../../kit/layout/page-header.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { counted } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { outcomeWords } from "../../outcome-words.ts";
import { siteAnalytics, type Turn } from "../../replies.ts";
import type { RouteParams } from "../../route-match.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useResource } from "../../use-resource.ts";
import { FactsCard } from "./facts-card.tsx";
import { PassagesCard } from "./passages-card.tsx";
import "../conversations.css";
import { useApi } from "../../api.ts";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { Link, navigate } from "../../router.ts";
import { useAttempt } from "../../use-attempt.ts";

const WRITING_LOOK_MS = 2000;

/** One answer with all that is known of how it came about. */
export function TurnPage({ site, params }: { site: SiteView; params: RouteParams }) {
  const id = params["message"] ?? "";
  const path = `${siteAnalytics(site.domain)}/conversations/${encodeURIComponent(id)}`;
  const [isBeingWritten, setIsBeingWritten] = useState(false);
  const turn = useResource<Turn>(path, { everyMs: isBeingWritten ? WRITING_LOOK_MS : undefined });
  const isOpen = turn.state === "ready" && turn.data.outcome === null;
  if (isOpen !== isBeingWritten) setIsBeingWritten(isOpen);
  if (turn.state === "ready") return <TurnView key={id} site={site} turn={turn.data} />;
  return (
    <div className="stack-wide">
      <PageHeader title="Conversation" of={site.name} />
      {turn.state === "loading" && <Loading lines={8} label="Reading the conversation" />}
      {turn.state === "failed" &&
        (turn.error.status === 404 ? (
          <Empty
            icon="chat"
            title="This conversation is not there"
            text="It was deleted, or is older than this site keeps conversations."
            action={<ButtonLink to={sitePath(site, "conversations")}>All conversations</ButtonLink>}
          />
        ) : (
          <Failed error={turn.error} retry={() => void turn.reload()} />
        ))}
    </div>
  );
}

function TurnView({ site, turn }: { site: SiteView; turn: Turn }) {
  const { label, tone, meaning } = outcomeWords(turn.outcome);
  const { text, suggestions } = splitSuggestions(turn.answer, turn.outcome === null);
  return (
    <div className="stack-wide">
      <PageHeader
        title="Conversation"
        of={site.name}
        description={
          <>
            Asked <Time at={turn.askedAt} />
          </>
        }
        actions={site.mayChange && <TurnActions site={site} turn={turn} />}
      />
      {turn.replacedAt !== null && (
        <Notice tone="quiet">
          The question was sent again <Time at={turn.replacedAt} />: a later answer took the place of this
          one.
        </Notice>
      )}
      <div className="turn-layout">
        <div className="stack">
          <Card>
            <div className="transcript">
              <p className="transcript-question">{turn.question}</p>
              <Searched turn={turn} />
              <div className="transcript-answer">
                <p className="row small">
                  <Badge tone={tone}>{label}</Badge>
                  <span className="quiet">{meaning}</span>
                </p>
                {text === "" ? (
                  <p className="quiet">There is no text of an answer.</p>
                ) : (
                  <MarkdownText site={site} text={text} />
                )}
                <ReadNext suggestions={suggestions} />
              </div>
              <Feedback turn={turn} />
            </div>
          </Card>
          <PassagesCard site={site} turn={turn} />
        </div>
        <div className="stack">
          <FactsCard site={site} turn={turn} />
          <ThreadCard site={site} turn={turn} />
        </div>
      </div>
    </div>
  );
}

const LOOK_WORDS: Readonly<Record<Turn["looks"][number]["tool"], string>> = {
  search: "The model searched for:",
  read_page: "The model read:",
  unknown: "The model made a call that could not be read:",
};

/** The words that were searched, where they are not those that were asked; and those of a second search. */
function Searched({ turn: { question, searched, rewritten, looks } }: { turn: Turn }) {
  const isAsAsked = searched === null || searched.trim() === question.trim();
  return (
    <>
      {!isAsAsked && (
        <p className="small quiet wrap-anywhere">
          <Icon name="search" size={14} /> Searched for: {searched}
        </p>
      )}
      {rewritten.map((each) => (
        <p key={each} className="small quiet wrap-anywhere">
          <Icon name="search" size={14} /> Too little was found. Rephrased by the model, and searched again:{" "}
          {each}
        </p>
      ))}
      {looks.length > 0 && (
        <ol className="looks small quiet" aria-label="What the model looked for">
          {looks.map(({ tool, asked, found }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and a model may ask twice alike
            <li key={index} className="wrap-anywhere">
              <Icon name={tool === "read_page" ? "page" : "search"} size={14} /> {LOOK_WORDS[tool]} {asked}{" "}
              {tool !== "unknown" && `(${counted(found, "passage", "passages")})`}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Feedback({ turn: { helpful, comment } }: { turn: Turn }) {
  if (helpful === null) return null;
  return (
    <Notice tone={helpful ? "good" : "warn"}>
      {helpful ? "The reader found this helpful." : "The reader found this unhelpful."}
      {comment !== null && (
        <>
          {" "}
          <q>{comment}</q>
        </>
      )}
    </Notice>
  );
}

function TurnActions({ site, turn }: { site: SiteView; turn: Turn }) {
  const [isKeeping, setIsKeeping] = useState(false);
  const remove = useDeleteConversation(site, turn);
  const isOver = turn.outcome !== null;
  return (
    <>
      {isOver && turn.curated === null && (
        <ButtonLink
          icon="answer"
          to={`${sitePath(site, "answers", "new")}?from=${encodeURIComponent(turn.id)}`}
        >
          Make it a curated answer
        </ButtonLink>
      )}
      {turn.curated !== null && (
        <ButtonLink
          icon="edit"
          to={`${sitePath(site, "answers", "edit")}?name=${encodeURIComponent(turn.curated)}`}
        >
          Edit the curated answer
        </ButtonLink>
      )}
      {isOver && (
        <Button icon="chart" onClick={() => setIsKeeping(true)}>
          Keep for evaluation
        </Button>
      )}
      <Button kind="danger" icon="trash" onClick={() => void remove()}>
        Delete
      </Button>
      {isKeeping && <EvaluationDialog site={site} turn={turn} onClose={() => setIsKeeping(false)} />}
    </>
  );
}

/** The other questions of the same conversation, in their order. */
function ThreadCard({ site, turn }: { site: SiteView; turn: Turn }) {
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

/** Deletes the conversation that an answer belongs to, when that is agreed to, and goes back to the list. */
function useDeleteConversation(site: SiteView, turn: Turn): () => Promise<void> {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  return async () => {
    const others = turn.thread.filter(({ id }) => id !== turn.id).length;
    const isAgreed = await confirm({
      title: "Delete this conversation?",
      text: (
        <>
          {others > 0 && <p>All {others + 1} questions of it go, with their answers. </p>}
          <p>
            It cannot be brought back: what its reader said goes from conversations, gaps and evaluation
            questions. Only the counts stay. A curated answer that was made of it stays, too.
          </p>
        </>
      ),
      action: "Delete the conversation",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${siteAnalytics(site.domain)}/conversations/${encodeURIComponent(turn.id)}`);
      toast("The conversation was deleted.");
      navigate(sitePath(site, "conversations"), { replace: true });
    });
  };
}
