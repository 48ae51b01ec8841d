import { type FormEvent, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { questionOfHeading } from "../../../text/heading-question.ts";
import { createConversation, newMessageId } from "../../conversation/conversation.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { type PageList, siteOperations } from "../replies.ts";
import { basePath } from "../router.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { FirstAnswer } from "./first-answer.tsx";
import type { SiteKey } from "./use-site-key.ts";

const SUGGESTED = 3;

/** Asks the first question right here, as a reader would, with the key that the pages will have. */
export function AskStep({ site, siteKey }: { site: SiteView; siteKey: SiteKey }) {
  const { key, error, again } = siteKey;
  if (error) return <Failed error={error} retry={again} />;
  if (key === undefined) return <Loading label="Making the site's key" lines={2} />;
  return <Ask site={site} assistantKey={key} />;
}

function Ask({ site, assistantKey }: { site: SiteView; assistantKey: string }) {
  const { state, ask, stop, retry } = useConversation(site.domain, assistantKey);
  const [question, setQuestion] = useState("");
  const suggested = useSuggested(site);
  const send = (text: string) => {
    if (text.trim() === "" || state.isBusy) return;
    ask(text);
    setQuestion("");
  };
  return (
    <div className="stack">
      <form
        className="ask-form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          send(question);
        }}
      >
        <Field label="Your question" isLabelHidden>
          <TextInput
            value={question}
            maxLength={10_000}
            placeholder="Ask what your readers ask most"
            autoComplete="off"
            onChange={setQuestion}
          />
        </Field>
        {state.isBusy ? (
          <Button icon="stop" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" kind="primary" icon="send">
            Ask
          </Button>
        )}
      </form>
      {state.turns.length === 0 && suggested.length > 0 && (
        <div className="row">
          <span className="quiet small">For example</span>
          {suggested.map((each) => (
            <button key={each} type="button" className="ask-suggestion" onClick={() => send(each)}>
              {each}
            </button>
          ))}
        </div>
      )}
      {state.turns.map((turn) => (
        <FirstAnswer key={turn.id} site={site} turn={turn} onRetry={retry} />
      ))}
    </div>
  );
}

/** Questions that the docs should answer, from what their pages are called; none where no title tells one. */
function useSuggested(site: SiteView): string[] {
  const pages = useResource<PageList>(`${siteOperations(site.domain)}/pages`, { query: { limit: 200 } });
  const questions = (pages.data?.pages ?? [])
    .filter(({ hidden, passages }) => !hidden && passages > 0)
    .flatMap(({ title, language }) => questionOfHeading(title, language || site.settings.language) ?? []);
  return [...new Set(questions)].slice(0, SUGGESTED);
}

/** A conversation with a site's assistant, as a component sees it. */
function useConversation(domain: string, key: string) {
  const conversation = useMemo(
    () =>
      createConversation({
        domain,
        key,
        fp: "anonymous",
        endpoint: window.location.origin + basePath(),
        fetch: (url, init) => fetch(url, init),
        now: Date.now,
        newId: newMessageId,
      }),
    [domain, key],
  );
  useEffect(() => () => conversation.stop(), [conversation]);
  const state = useSyncExternalStore(conversation.subscribe, conversation.state);
  return {
    state,
    ask: (text: string) => void conversation.ask(text),
    stop: () => conversation.stop(),
    retry: () => void conversation.retry(),
  };
}
