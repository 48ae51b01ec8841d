import { useEffect, useMemo, useSyncExternalStore } from "react";
import { createConversation, newMessageId } from "../../conversation/conversation.ts";
import { basePath } from "../base-path.ts";

/** A conversation with a site's assistant, as a component sees it. */
export function useConversation(domain: string, key: string) {
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
