import { useState } from "react";
import { Button } from "../kit/buttons/button.tsx";
import { ButtonLink } from "../kit/buttons/button-link.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { type SiteView, sitePath } from "../site-view.ts";
import { type AskSettings, NO_SETTINGS } from "./ask-settings.ts";
import { Composer } from "./composer.tsx";
import { Inspector } from "./inspector.tsx";
import { OptionsCard } from "./options-card.tsx";
import { TurnView } from "./turn-view.tsx";
import { usePlayground } from "./use-playground.ts";
import "./playground.css";

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
