import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type Conversation, createConversation, newMessageId } from "../../conversation/conversation.ts";
import type { ConversationState } from "../../conversation/state.ts";
import { useApi } from "../api.ts";
import { basePath } from "../router.ts";
import { createTrialFetch } from "../trial-fetch.ts";
import { type AskSettings, askOptionsOf } from "./ask-settings.ts";
import { type StreamGroup, withStreamPart } from "./stream-log.ts";

/** A conversation that is tried, with the streams of its answers. */
interface Playground {
  state: ConversationState;
  /** The parts of each answer's stream, by the turn's id. */
  streams: ReadonlyMap<string, readonly StreamGroup[]>;
  ask(text: string): void;
  retry(): void;
  stop(): void;
  clear(): void;
}

/** Asks a site without leaving a trace. The settings are those at the time of each question. */
export function usePlayground(domain: string, settings: AskSettings): Playground {
  const api = useApi();
  const latest = useRef(settings);
  useEffect(() => {
    latest.current = settings;
  }, [settings]);
  const [streams, setStreams] = useState<ReadonlyMap<string, readonly StreamGroup[]>>(new Map());
  const [conversation] = useState<Conversation>(() => {
    let askedAt = 0;
    const note = (data: string) => {
      const id = made.state().turns.at(-1)?.id;
      if (id === undefined) return;
      const atMs = performance.now() - askedAt;
      setStreams((before) => new Map(before).set(id, withStreamPart(before.get(id) ?? [], data, atMs)));
    };
    const fetchTrial = createTrialFetch({
      fetch: (url, init) => fetch(url, init),
      base: basePath(),
      domain,
      onPart: note,
      more: () => (latest.current.model === "" ? {} : { model: latest.current.model }),
      signInAgain: () => api.get("/v1/session"),
    });
    const made = createConversation({
      fetch(url, init) {
        askedAt = performance.now();
        const id = made.state().turns.at(-1)?.id;
        if (id !== undefined) setStreams((before) => new Map(before).set(id, []));
        return fetchTrial(url, init);
      },
      endpoint: basePath(),
      domain,
      key: "",
      fp: "playground",
      now: Date.now,
      newId: newMessageId,
      isOnline: () => navigator.onLine,
    });
    return made;
  });
  useEffect(() => () => conversation.stop(), [conversation]);
  const state = useSyncExternalStore(conversation.subscribe, conversation.state);
  const ask = useCallback(
    (text: string) => void conversation.ask(text, askOptionsOf(latest.current)),
    [conversation],
  );
  return {
    state,
    streams,
    ask,
    stop: conversation.stop,
    retry: () => void conversation.retry(),
    clear() {
      conversation.clear();
      setStreams(new Map());
    },
  };
}
