import type { Connection } from "../conversation/connection.ts";
import { type Conversation, createConversation, newMessageId } from "../conversation/conversation.ts";
import type { Installation } from "./installation.ts";
import { keep } from "./stored-text.ts";

/** How the site's assistant is reached from this page. */
export function connectionOf({ server, domain, key, query }: Installation): Connection {
  return {
    // Some public pages get through to their site only with what stands behind its addresses.
    fetch: (url, init) => window.fetch(query ? `${url}?${query}` : url, init),
    endpoint: server,
    domain,
    key,
  };
}

/** The reader's conversation with the site, kept in the browser. */
export function converse(connection: Connection): Conversation {
  return createConversation({
    ...connection,
    fp: "anonymous",
    storage: keep("localStorage", `docent:thread:${connection.endpoint}${connection.domain}`),
    now: Date.now,
    newId: newMessageId,
    isOnline: () => navigator.onLine,
  });
}
