import "./playground.css";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { isComing, type Turn } from "../../conversation/state.ts";
import { AnswerProgress } from "../kit/answer/answer-progress.tsx";
import { AnswerText, ReadNext } from "../kit/answer/markdown-text.tsx";
import { Button, ButtonLink } from "../kit/buttons/button.tsx";
import { classNames } from "../kit/class-names.ts";
import { Empty } from "../kit/feedback/empty.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextArea } from "../kit/form/text-input.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { Badge, type Tone } from "../kit/text/badge.tsx";
import { formatDuration } from "../kit/text/format-number.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { type AskSettings, NO_SETTINGS } from "./ask-settings.ts";
import { Inspector } from "./inspector.tsx";
import { OptionsCard } from "./options-card.tsx";
import { type StreamGroup, timesOf } from "./stream-log.ts";
import { usePlayground } from "./use-playground.ts";

/** `/…/playground`: asks as a reader would, and shows what is behind the answer. */
export function PlaygroundPage({ site }: { site: SiteView }) {
  const [settings, setSettings] = useState<AskSettings>(NO_SETTINGS);
  const [chosenId, setChosenId] = useState<string>();
  const { state, streams, ask, retry, stop, clear } = usePlayground(site.domain, settings);
  const { turns, isBusy } = state;
  const last = turns.at(-1);
  const chosen = turns.find(({ id }) => id === chosenId) ?? last;
  const askNow = (text: string) => {
    setChosenId(undefined);
    ask(text);
  };
  return (
    <>
      <PageHeader
        title="Playground"
        of={site.name}
        description="Ask as a reader would, and see what the answer is made of. Nothing of it is kept, and no report counts it."
      />
      <div className="playground">
        <div className="playground-talk">
          {turns.length === 0 && <Beginning site={site} onAsk={askNow} />}
          {turns.map((turn) => (
            <TurnView
              key={turn.id}
              turn={turn}
              stream={streams.get(turn.id) ?? []}
              site={site}
              isChosen={turns.length > 1 && turn === chosen}
              onChoose={turns.length > 1 ? () => setChosenId(turn.id) : undefined}
              onRetry={turn === last ? retry : undefined}
            />
          ))}
          <Composer
            isBusy={isBusy}
            onAsk={askNow}
            onStop={stop}
            onClear={turns.length > 0 ? clear : undefined}
          />
        </div>
        <div className="playground-side">
          {chosen && <Inspector turn={chosen} stream={streams.get(chosen.id) ?? []} siteUrl={site.url} />}
          <OptionsCard site={site} settings={settings} onChange={setSettings} />
        </div>
      </div>
    </>
  );
}

/** Before the first question: what readers would be offered. */
function Beginning({ site, onAsk }: { site: SiteView; onAsk: (text: string) => void }) {
  const { starterQuestions } = site.settings;
  if (site.generation === 0)
    return (
      <Empty
        icon="book"
        title="There are no pages yet"
        text="Once the docs have been read, you can ask the first question."
        action={
          site.mayChange && (
            <ButtonLink kind="primary" icon="add" to={sitePath(site, "content")}>
              Add a source
            </ButtonLink>
          )
        }
      />
    );
  return (
    <Empty
      icon="chat"
      title="What would your readers ask?"
      text="The answer comes as they would see it; the passages and the stream behind it are beside it."
      action={
        starterQuestions.length > 0 && (
          <div className="starters">
            {starterQuestions.map((question) => (
              <Button key={question} size="small" onClick={() => onAsk(question)}>
                {question}
              </Button>
            ))}
          </div>
        )
      }
    />
  );
}

interface ComposerProps {
  isBusy: boolean;
  onAsk: (text: string) => void;
  onStop: () => void;
  /** Puts the conversation away; undefined where there is none. */
  onClear: (() => void) | undefined;
}

/** Where questions are written. Enter sends, Shift and Enter begins a line. */
function Composer({ isBusy, onAsk, onStop, onClear }: ComposerProps) {
  const [text, setText] = useState("");
  const send = () => {
    if (text.trim() === "" || isBusy) return;
    onAsk(text);
    setText("");
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className="composer" onSubmit={onSubmit}>
      <Field label="Question" isLabelHidden>
        <TextArea
          value={text}
          onChange={setText}
          onKeyDown={onKeyDown}
          rows={2}
          placeholder="Ask as a reader would…"
        />
      </Field>
      <div className="row-apart">
        <span>
          {onClear && (
            <Button kind="quiet" onClick={onClear}>
              New conversation
            </Button>
          )}
        </span>
        <span>
          {isBusy ? (
            <Button icon="stop" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <Button type="submit" kind="primary" icon="send" disabled={text.trim() === ""}>
              Ask
            </Button>
          )}
        </span>
      </div>
    </form>
  );
}

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
function TurnView({ turn, stream, site, isChosen, onChoose, onRetry }: TurnViewProps) {
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
