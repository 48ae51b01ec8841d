import { questionOfHeading } from "@docent/kernel/text/heading-question";
import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { createConversation, newMessageId } from "../../conversation/conversation.ts";
import { isComing, type Turn } from "../../conversation/state.ts";
import { useApi } from "../api.ts";
import { AnswerProgress } from "../kit/answer/answer-progress.tsx";
import { AnswerText } from "../kit/answer/markdown-text.tsx";
import { Button } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { type PageList, siteOperations } from "../replies.ts";
import { basePath } from "../router.ts";
import type { SiteView } from "../site-view.ts";
import { createTrialFetch } from "../trial-fetch.ts";
import { useResource } from "../use-resource.ts";

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

interface FirstAnswerProps {
  site: SiteView;
  turn: Turn;
  onRetry: () => void;
}

/** A question with its answer, as it comes. */
function FirstAnswer({ site, turn, onRetry }: FirstAnswerProps) {
  const { question, status, answer, sources, outcome, error } = turn;
  return (
    <article className="first-answer" aria-label={`Answer to ${question}`}>
      <p className="first-answer-question">{question}</p>
      <AnswerProgress turn={turn} />
      <AnswerText site={site} text={answer} isComing={isComing(turn)} />
      {sources.length > 0 && (
        <div>
          <h3 className="first-answer-heading">From your docs</h3>
          <ul className="first-answer-sources">
            {sources.map(({ url, title, snippet }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noreferrer noopener">
                  {title}
                </a>
                <span className="quiet small"> {snippet || placeOf(url)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {status === "done" && <Remark outcome={outcome} />}
      {status === "failed" && (
        <Notice
          tone="bad"
          action={
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          {error?.message ?? "The answer failed."}
        </Notice>
      )}
    </article>
  );
}

/** The path and anchor of a source, which tell two places of one page apart. */
function placeOf(url: string): string {
  const { pathname, hash } = new URL(url, window.location.href);
  try {
    return decodeURI(pathname + hash);
  } catch {
    return pathname + hash;
  }
}

/** What kind of answer it was, where that needs a word. */
function Remark({ outcome }: { outcome: string | undefined }) {
  if (outcome === "quoted")
    return (
      <Notice tone="quiet">
        Quoted from your pages: no model is running yet. With Ollama on this machine, answers are written.
      </Notice>
    );
  if (outcome === "touched")
    return (
      <Notice tone="quiet">
        No page says this outright, so what comes nearest is quoted. With Ollama on this machine, a model
        looks whether it answers.
      </Notice>
    );
  if (outcome === "unanswered")
    return (
      <Notice tone="quiet">
        The docs do not cover this, and Docent says so. Ask something that they cover, or see under Content
        why it is not found.
      </Notice>
    );
  return null;
}
