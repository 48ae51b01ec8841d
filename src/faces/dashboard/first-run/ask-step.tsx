import { questionOfHeading } from "@docent/kernel/text/heading-question";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { createConversation, newMessageId } from "../../conversation/conversation.ts";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { type PageList, siteOperations } from "../replies.ts";
import { basePath } from "../router.ts";
import type { SiteView } from "../site-view.ts";
import { createTrialFetch } from "../trial-fetch.ts";
import { useResource } from "../use-resource.ts";
import { FirstAnswer } from "./first-answer.tsx";

const SUGGESTED = 3;

/** Asks the first question right here, as a reader would. Like one of the playground, it is not kept or counted. */
export function AskStep({ site }: { site: SiteView }) {
  const { state, ask, stop, retry } = useConversation(site.domain);
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
function useConversation(domain: string) {
  const api = useApi();
  const [conversation] = useState(() =>
    createConversation({
      domain,
      key: "",
      fp: "first-run",
      endpoint: basePath(),
      fetch: createTrialFetch({
        fetch: (url, init) => fetch(url, init),
        base: basePath(),
        domain,
        signInAgain: () => api.get("/v1/session"),
      }),
      now: Date.now,
      newId: newMessageId,
      isOnline: () => navigator.onLine,
    }),
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
