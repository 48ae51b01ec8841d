import { isComing, type Turn } from "../../conversation/state.ts";
import { AnswerProgress } from "../kit/answer/answer-progress.tsx";
import { AnswerText, ReadNext } from "../kit/answer/markdown-text.tsx";
import { Button } from "../kit/buttons/button.tsx";
import { classNames } from "../kit/class-names.ts";
import { Notice } from "../kit/feedback/notice.tsx";
import { Badge, type Tone } from "../kit/text/badge.tsx";
import { formatDuration } from "../kit/text/format-number.ts";
import type { SiteView } from "../site-view.ts";
import { type StreamGroup, timesOf } from "./stream-log.ts";

const OUTCOMES: Record<string, { text: string; tone: Tone }> = {
  answered: { text: "Answered", tone: "good" },
  curated: { text: "Curated answer", tone: "good" },
  quoted: { text: "Quoted", tone: "accent" },
  touched: { text: "Near", tone: "warn" },
  unanswered: { text: "Not covered", tone: "warn" },
};

interface TurnViewProps {
  turn: Turn;
  stream: readonly StreamGroup[];
  site: SiteView;
  isChosen: boolean;
  onChoose: (() => void) | undefined;
  onRetry: (() => void) | undefined;
}

/** A question with its answer. Choosing it shows what is behind it. */
export function TurnView({ turn, stream, site, isChosen, onChoose, onRetry }: TurnViewProps) {
  const { question, answer, reasoning, error, suggestions } = turn;
  return (
    <article className={classNames("try-turn", isChosen && "try-turn-chosen")} aria-label={question}>
      <h2 className="try-question">{question || "About the text"}</h2>
      {reasoning !== "" && (
        <details className="more try-thoughts">
          <summary>Thoughts</summary>
          <p>{reasoning}</p>
        </details>
      )}
      <AnswerText text={answer} isComing={isComing(turn)} site={site} />
      <AnswerProgress turn={turn} />
      <ReadNext suggestions={suggestions} />
      {error && <Notice tone="bad">{error.message}</Notice>}
      <footer className="try-turn-foot">
        <TurnFacts turn={turn} stream={stream} />
        <span className="row">
          {onRetry && !isComing(turn) && (
            <Button size="small" kind="quiet" icon="refresh" onClick={onRetry}>
              Ask again
            </Button>
          )}
          {onChoose && (
            <Button size="small" kind="quiet" icon="eye" onClick={onChoose} aria-pressed={isChosen}>
              Look inside
            </Button>
          )}
        </span>
      </footer>
    </article>
  );
}

function TurnFacts({ turn, stream }: Pick<TurnViewProps, "turn" | "stream">) {
  const { firstTextMs, totalMs } = timesOf(stream);
  const outcome = turn.outcome === undefined ? undefined : OUTCOMES[turn.outcome];
  return (
    <span className="row small quiet">
      {outcome && <Badge tone={outcome.tone}>{outcome.text}</Badge>}
      {turn.model && <span>{turn.model}</span>}
      {firstTextMs !== undefined && <span>first word {formatDuration(firstTextMs)}</span>}
      {turn.status === "done" && totalMs !== undefined && <span>in all {formatDuration(totalMs)}</span>}
    </span>
  );
}
