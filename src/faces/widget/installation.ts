import type { Connection } from "../conversation/connection.ts";
import { type Conversation, createConversation, newMessageId } from "../conversation/conversation.ts";
import { createLater, type LaterParts } from "./later.ts";
import { type PartialLook, readLook } from "./look/look.ts";
import { storedText } from "./stored-text.ts";

/** What the script's tag says. */
export interface Installation {
  /** Where Docent is, with a slash at the end. */
  server: string;
  domain: string;
  key: string;
  /** What is put behind the addresses that are asked: a pass of the reader site's pages. */
  query: string | undefined;
  /** Where the reader site's pages search: its own pages are found there, and not the published ones. */
  search: string | undefined;
  /** The page's function that gives a token for who reads. */
  getToken: string | undefined;
  /** Where an inline widget goes: a selector. */
  target: string | undefined;
  /** The letter that opens it together with ⌘ or Ctrl; undefined for none. */
  hotkey: string | undefined;
  /** The letter that searches together with them. */
  searchHotkey: string | undefined;
  /** What the page says of itself, where its author knows better. */
  version: string | undefined;
  language: string | undefined;
  look: PartialLook;
}

/** How a tag asks for a hotkey. */
const HOTKEY = /^(?:mod\+)?([a-z0-9/.])$/i;
const LABEL = /^label([A-Z].*)$/;

/** Reads the attributes of the script's tag; undefined where they do not say which site is meant, or with which key. */
export function readInstallation(
  said: Partial<Record<string, string>>,
  scriptUrl: string,
  pageUrl: string,
): Installation | undefined {
  // A page may have let somebody write what all its objects inherit: none of that is in the tag.
  const attributes: typeof said = Object.setPrototypeOf({ ...said }, null);
  const { domain, key, hotkey = "i", searchHotkey = "k", query, search, getToken, target } = attributes;
  const { version, language, server: named } = attributes;
  const server = URL.parse(named || ".", named ? pageUrl : scriptUrl);
  if (!server || !/^https?:$/.test(server.protocol) || !domain || !key) return undefined;
  return {
    server: `${server.origin}${server.pathname.replace(/\/*$/, "/")}`,
    domain,
    key,
    query,
    search: search ? URL.parse(search, pageUrl)?.href : undefined,
    getToken,
    target: target || undefined,
    hotkey: letterIn(hotkey),
    searchHotkey: letterIn(searchHotkey),
    version,
    language,
    look: readLook(
      {
        ...attributes,
        starterQuestions: attributes["starters"]?.split("|"),
        labels: labelsIn(attributes),
        // An element to go into says that it goes there.
        variant: attributes["variant"] ?? (target ? "inline" : undefined),
      },
      pageUrl,
    ),
  };
}

const letterIn = (said: string) => HOTKEY.exec(said.trim())?.[1]?.toLowerCase();

/** `data-label-send` is read as `labelSend`, and means the label `send`. */
function labelsIn(attributes: Partial<Record<string, string>>): Record<string, string | undefined> {
  const labels = Object.entries(attributes).flatMap(([name, text]) => {
    const label = LABEL.exec(name)?.[1];
    return label === undefined ? [] : [[label.charAt(0).toLowerCase() + label.slice(1), text] as const];
  });
  return Object.fromEntries(labels);
}

/**
 * Whether the server can be reached, as far as is known. A browser calls itself offline too where its machine has no network
 * at all, although Docent may be on that machine: who has reached the server is not.
 */
export interface Link {
  isOnline(): boolean;
  /** The browser says that its network has changed: what was reached before counts no more. */
  forget(): void;
}

/** How the site's assistant is reached from this page. */
export function connectionOf(
  { server, domain, key, query, getToken }: Installation,
  { token }: Pick<LaterParts, "token">,
): Connection & Link {
  let isReached = false;
  const fetch: Connection["fetch"] = async (url, init) => {
    // Some pages get through to their site only with what stands behind its addresses.
    const address = query ? `${url}${url.includes("?") ? "&" : "?"}${query}` : url;
    const response = await window.fetch(address, init);
    isReached = true;
    return response;
  };
  return {
    fetch: getToken ? fetchAs(getToken, fetch, token) : fetch,
    endpoint: server,
    domain,
    key,
    isOnline: () => isReached || navigator.onLine,
    forget() {
      isReached = false;
    },
  };
}

/** Sends as the reader for whom the page's function has a token; as nobody, while what sends so cannot be had. */
function fetchAs(name: string, fetch: Connection["fetch"], load: LaterParts["token"]): Connection["fetch"] {
  const part = createLater(async () => (await load()).fetchAs(name, fetch));
  return async (url, init) => ((await part.load()) ?? fetch)(url, init);
}

/** The reader's conversation with the site, kept in the browser. */
export function openConversation(connection: Connection & Link): Conversation {
  return createConversation({
    ...connection,
    fp: "anonymous",
    storage: storedText("localStorage", `docent:thread:${connection.endpoint}${connection.domain}`),
    now: Date.now,
    newId: newMessageId,
  });
}
