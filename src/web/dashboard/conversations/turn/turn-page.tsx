import { useState } from "react";
import { splitSuggestions } from "../../../../text/suggestions.ts";
import { MarkdownText, ReadNext } from "../../kit/answer/markdown-text.tsx";
import { Button } from "../../kit/buttons/button.tsx";
import { ButtonLink } from "../../kit/buttons/button-link.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Icon } from "../../kit/icons/icon.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { PageHeader } from "../../kit/layout/page-header.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import { Time } from "../../kit/text/time.tsx";
import { outcomeWords } from "../../outcome-words.ts";
import { siteAnalytics, type Turn } from "../../replies.ts";
import type { RouteParams } from "../../route-match.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useResource } from "../../use-resource.ts";
import { EvaluationDialog } from "../evaluation/evaluation-dialog.tsx";
import { FactsCard } from "./facts-card.tsx";
import { PassagesCard } from "./passages-card.tsx";
import { ThreadCard } from "./thread-card.tsx";
import { useDeleteConversation } from "./use-delete-conversation.tsx";
import "../conversations.css";

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

/** The words that were searched, where they are not those that were asked. */
function Searched({ turn: { question, searched } }: { turn: Turn }) {
  if (searched === null || searched.trim() === question.trim()) return null;
  return (
    <p className="small quiet wrap-anywhere">
      <Icon name="search" size={14} /> Searched for: {searched}
    </p>
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
