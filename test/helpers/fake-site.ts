/** What a fake site has at an address: HTML, or any reply. */
export type FakePage = string | FakeReply | ((request: Request, nth: number) => FakePage | Promise<FakePage>);

/** A reply as it is sent; with an `etag` or `last-modified` it answers conditional requests as servers do. */
export interface FakeReply {
  status?: number;
  headers?: Record<string, string>;
  body?: BodyInit;
}

export interface FakeRequest {
  /** With its query. */
  path: string;
  headers: Headers;
  status: number;
  /** A body was sent. */
  hasBody: boolean;
}

/** A website on the loopback address that remembers what it was asked. */
export interface FakeSite extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  readonly host: string;
  readonly requests: FakeRequest[];
  /** By path with its query, or without. What is not here is 404. */
  pages: Record<string, FakePage>;
  /** The most requests that were under way at the same time. */
  readonly mostAtOnce: number;
  /** The paths that were asked for since the last time this was called. */
  asked(): string[];
  stop(): Promise<void>;
}

export interface FakeSiteOptions {
  tls?: { key: string; cert: string };
}

/** Starts a fake site. */
export function startFakeSite(pages: Record<string, FakePage>, options: FakeSiteOptions = {}): FakeSite {
  const requests: FakeRequest[] = [];
  let reported = 0;
  let underWay = 0;
  let mostAtOnce = 0;
  const times = new Map<string, number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    ...options,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      mostAtOnce = Math.max(mostAtOnce, ++underWay);
      const nth = times.get(path) ?? 0;
      times.set(path, nth + 1);
      try {
        const page = await open(site.pages[path] ?? site.pages[pathname], request, nth);
        const reply = isUnchanged(page, request) ? { status: 304, headers: page.headers ?? {} } : page;
        const { status = 200, headers = {}, body } = reply;
        requests.push({ path, headers: request.headers, status, hasBody: body !== undefined });
        return new Response(body ?? null, { status, headers });
      } finally {
        underWay--;
      }
    },
  });
  const site: FakeSite = {
    url: server.url.origin,
    host: server.url.host,
    requests,
    pages,
    get mostAtOnce() {
      return mostAtOnce;
    },
    asked() {
      const paths = requests.slice(reported).map(({ path }) => path);
      reported = requests.length;
      return paths;
    },
    stop: () => server.stop(true),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return site;
}

async function open(page: FakePage | undefined, request: Request, nth: number): Promise<FakeReply> {
  if (page === undefined) return { status: 404, body: "Not found" };
  if (typeof page === "function") return open(await page(request, nth), request, nth);
  return typeof page === "string"
    ? { headers: { "content-type": "text/html; charset=utf-8" }, body: page }
    : page;
}

function isUnchanged({ headers = {} }: FakeReply, request: Request): boolean {
  const { etag, "last-modified": modified } = headers;
  const asked = request.headers.get("if-none-match");
  if (etag !== undefined && asked !== null) return asked === etag;
  return modified !== undefined && request.headers.get("if-modified-since") === modified;
}

/** A small HTML page. */
export function htmlPage(title: string, links: readonly string[] = [], head = ""): string {
  const list = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join("");
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body><nav><ul>${list}</ul></nav><main><h1>${title}</h1><p>About ${title}.</p></main></body></html>`;
}

/** A sitemap of these addresses. */
export function sitemapOf(
  addresses: readonly string[],
  kind: "urlset" | "sitemapindex" = "urlset",
): FakeReply {
  const element = kind === "urlset" ? "url" : "sitemap";
  const entries = addresses.map((address) => `<${element}><loc>${address}</loc></${element}>`).join("\n");
  return {
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</${kind}>`,
  };
}
