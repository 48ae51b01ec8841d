type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Gives what the page's own server signed for its reader; nothing where nobody has signed in. */
export type GetToken = () => Promise<string | null | undefined> | string | null | undefined;

/** How long before its end a token is not sent any more: it has to arrive, and clocks differ. */
const MARGIN_MS = 10_000;
/** How long a token is kept that does not say when it ends. */
const UNTOLD_MS = 60_000;

interface TokenDeps {
  fetch: Fetch;
  getToken: GetToken;
  now: () => number;
  /** Told of what the page's own function raises: without a token, the server says what is missing. */
  report: (error: unknown) => void;
}

/**
 * Sends with each request who reads. A token is asked for when the first request needs it, when it is about to end, and once
 * more when one is refused.
 */
export function sendingToken({ fetch, getToken, now, report }: TokenDeps): Fetch {
  let kept: { token: Promise<string>; until: number } | undefined;

  async function tokenOrNone(): Promise<string> {
    try {
      return (await getToken()) || "";
    } catch (error) {
      report(error);
      return "";
    }
  }

  async function ask(): Promise<string> {
    const token = await tokenOrNone();
    if (kept !== undefined) kept.until = endOf(token) ?? now() + UNTOLD_MS;
    return token;
  }

  function current(): Promise<string> {
    if (kept !== undefined && kept.until > now()) return kept.token;
    // Whoever asks meanwhile waits for the same one.
    kept = { token: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
    kept.token = ask();
    return kept.token;
  }

  const send = (url: string, init: RequestInit, token: string) => {
    if (token === "") return fetch(url, init);
    const headers = new Headers(init.headers);
    headers.set("x-docent-reader", token);
    return fetch(url, { ...init, headers });
  };

  return async (url, init) => {
    const token = await current();
    const reply = await send(url, init, token);
    if (reply.status !== 401) return reply;
    kept = undefined;
    const fresh = await current();
    return fresh === token ? reply : send(url, init, fresh);
  };
}

/** When a token is to be replaced, as it says itself; undefined where it does not. */
function endOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(
      atob((token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/")),
    );
    const exp = typeof claims === "object" && claims !== null && "exp" in claims ? claims.exp : undefined;
    return typeof exp === "number" ? exp * 1000 - MARGIN_MS : undefined;
  } catch {
    return undefined;
  }
}

/** The page's function of that name, such as `docentToken` or `shop.readers.token`, looked for when it is needed. */
export function functionNamed(name: string, root: object): GetToken {
  return () => {
    let found: unknown = root;
    let owner: unknown;
    for (const part of name.split(".")) {
      owner = found;
      found = typeof found === "object" && found !== null ? Reflect.get(found, part) : undefined;
    }
    if (typeof found !== "function")
      throw new Error(`widget.js: data-get-token: there is no function ${name}`);
    return found.call(owner);
  };
}

/** Sends as the reader for whom the page's function of that name has a token. */
export const fetchAs = (name: string, fetch: Fetch): Fetch =>
  sendingToken({ fetch, getToken: functionNamed(name, window), now: Date.now, report: reportError });
