const REDIRECTS_MAX = 12;

/** A page at the end of all redirects. */
export interface Page {
  url: string;
  status: number;
  text: string;
}

interface Cookie {
  value: string;
  host: string;
  path: string;
}

/** Somebody who goes from page to page, keeps cookies as a browser does, and fills in forms. No script runs. */
export function createPerson({ authority }: { authority?: string } = {}) {
  const cookies = new Map<string, Cookie>();
  const seen = new Set<string>();

  function keep(url: URL, headers: Headers): void {
    for (const text of headers.getSetCookie()) {
      const { name, value, path = "/", maxAge, expires } = Bun.Cookie.parse(text);
      const key = `${url.hostname} ${path} ${name}`;
      const isOver = value === "" || maxAge === 0 || (expires !== undefined && Number(expires) < Date.now());
      if (isOver) cookies.delete(key);
      else cookies.set(key, { value, host: url.hostname, path });
    }
  }

  /** What a browser sends there: it tells hosts and paths apart, not ports. */
  const sent = (url: URL): string =>
    [...cookies]
      .filter(([, { host, path }]) => host === url.hostname && url.pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(" ")[2]}=${value}`)
      .join("; ");

  async function ask(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    seen.add(address);
    const headers = new Headers(init.headers);
    const cookie = sent(url);
    if (cookie !== "") headers.set("cookie", cookie);
    const reply = await fetch(url, {
      ...init,
      headers,
      redirect: "manual",
      ...(authority !== undefined && { tls: { ca: authority } }),
    });
    keep(url, reply.headers);
    return reply;
  }

  async function follow(address: string, init: RequestInit = {}, until?: string): Promise<Page> {
    let [url, next] = [address, init];
    for (let count = 0; count < REDIRECTS_MAX; count++) {
      const reply = await ask(url, next);
      const text = await reply.text();
      const location = reply.headers.get("location");
      if (location === null || reply.status < 300 || reply.status > 399)
        return { url, status: reply.status, text };
      [url, next] = [new URL(location, url).href, {}];
      if (until !== undefined && url.startsWith(until)) return { url, status: reply.status, text };
    }
    throw new Error(`too many redirects, the last to ${url}`);
  }

  /** Sends the page's form with what it holds already, and these fields. At an address that begins with `until` it stops. */
  async function submit(page: Page, fields: Record<string, string>, until?: string): Promise<Page> {
    const form = await readForm(page.text);
    if (form === undefined) throw new Error(`${page.url} has no form: ${page.status} ${page.text}`);
    const url = new URL(form.action, page.url).href;
    const body = new URLSearchParams({ ...form.fields, ...fields });
    return follow(url, { method: "POST", body, headers: { origin: new URL(page.url).origin } }, until);
  }

  return {
    ask,
    visit: (url: string) => follow(url),
    submit,
    /** Every address that was asked. */
    seen,
  };
}

export type TestPerson = ReturnType<typeof createPerson>;

/** The first form that is sent by POST. */
async function readForm(html: string) {
  const forms: { action: string; fields: Record<string, string> }[] = [];
  await new HTMLRewriter()
    .on('form[method="post" i]', {
      element: (form) => void forms.push({ action: plain(form.getAttribute("action") ?? ""), fields: {} }),
    })
    .on('form[method="post" i] input[name]', {
      element(input) {
        const fields = forms.at(-1)?.fields;
        if (fields && input.getAttribute("type") !== "submit")
          fields[input.getAttribute("name") ?? ""] = plain(input.getAttribute("value") ?? "");
      },
    })
    .transform(new Response(html))
    .text();
  return forms[0];
}

const plain = (text: string) =>
  text.replaceAll("&#x3D;", "=").replaceAll("&#39;", "'").replaceAll("&#43;", "+").replaceAll("&amp;", "&");
