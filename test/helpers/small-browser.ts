/** A reply with where the browser had come to. */
export interface Visited {
  url: URL;
  status: number;
  text: string;
  headers: Headers;
  /** Every address on the way, this one included. */
  way: string[];
}

/** What of a browser matters for signing in: cookies by origin, and following redirects. */
export interface SmallBrowser {
  /** Goes to an address, as by a click; follows redirects unless it is told not to. */
  go(
    url: string,
    options?: { follow?: boolean; from?: "same-origin" | "cross-site" | "none" },
  ): Promise<Visited>;
  /** Sends a form there, as a page of that origin would. */
  submit(url: string, fields: Record<string, string>): Promise<Visited>;
  /** Asks as a script of the same origin does. */
  ask(method: string, url: string, body?: unknown): Promise<Visited>;
  cookies(url: string): Record<string, string>;
  setCookies(url: string, cookies: Record<string, string>): void;
}

const HOPS_MAX = 20;

interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: string | URLSearchParams;
}

export function smallBrowser(): SmallBrowser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string | URL) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  async function send(url: URL, init: Sent) {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, ...(cookie === "" ? {} : { cookie }) };
    const reply = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const at = pair.indexOf("=");
      const isGone = /;\s*max-age=0(?:;|$)/i.test(set) || /expires=Thu, 01 Jan 1970/i.test(set);
      if (isGone) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return reply;
  }

  async function visit(start: string, init: Sent, follow: boolean) {
    const way: string[] = [];
    let url = new URL(start);
    let sent = init;
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      way.push(url.href);
      const reply = await send(url, sent);
      const location = reply.headers.get("location");
      const text = await reply.text();
      if (!follow || location === null || reply.status < 300 || reply.status >= 400)
        return { url, status: reply.status, text, headers: reply.headers, way };
      const next = new URL(location, url);
      const from = next.origin === url.origin ? {} : { "sec-fetch-site": "cross-site" };
      sent = { method: "GET", headers: { ...navigation, ...sent.headers, ...from } };
      url = next;
    }
    throw new Error(`it leads on and on: ${way.join(" ")}`);
  }

  const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  return {
    go: (url, { follow = true, from = "none" } = {}) =>
      visit(url, { method: "GET", headers: { ...navigation, "sec-fetch-site": from } }, follow),
    submit: (url, fields) =>
      visit(url, { method: "POST", headers: { ...navigation }, body: new URLSearchParams(fields) }, true),
    ask: (method, url, body) =>
      visit(
        url,
        {
          method,
          headers: {
            origin: new URL(url).origin,
            "sec-fetch-site": "same-origin",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        false,
      ),
    cookies: (url) => Object.fromEntries(jarOf(url)),
    setCookies(url, cookies) {
      for (const [name, value] of Object.entries(cookies)) jarOf(url).set(name, value);
    },
  };
}
