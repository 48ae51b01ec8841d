import { afterEach, describe, expect, test } from "bun:test";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import type { SourceKind } from "../../../src/reading/source.ts";
import { checkAddresses } from "../../../src/sites/ingest/check-addresses.ts";
import { createFindCited } from "../../../src/sites/ingest/cited-page.ts";
import { createLinkCheck } from "../../../src/sites/ingest/link-check.ts";
import { createOpenSiteFetch } from "../../../src/sites/ingest/site-fetch.ts";
import { createSiteSources } from "../../../src/sites/ingest/site-sources.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { trackedReader } from "../../helpers/tracked-reader.ts";

const servers: Bun.Server<unknown>[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop(true))));

const IMPOSSIBLE = "docent-asks-for-a-page-that-cannot-exist";

/** A published site below /docs, with what it was asked for: of a page that cannot exist only where it answers for all. */
function publishedSite(
  answer: (path: string, method: string) => Response = () => new Response("page"),
  { answersForAll = false } = {},
) {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === `/docs/${IMPOSSIBLE}` && !answersForAll) return missing();
      asked.push(`${request.method} ${pathname}`);
      return answer(pathname.replace("/docs/", ""), request.method);
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}/docs`, asked };
}

const missing = () => new Response("gone", { status: 404 });
const { signal } = new AbortController();
const openFetch = createOpenSiteFetch({ seal: UNSEALED, certificateAuthorities: [] });

const check = (siteUrl: string, paths: string[], { privateHosts = ["127.0.0.1"], until = signal } = {}) =>
  checkAddresses({
    get: openFetch(siteUrl, { folders: [], privateHosts }),
    siteUrl,
    paths,
    signal: until,
  });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `p/${index}`);

describe("the check of published addresses", () => {
  test("looks for the places that citations of a page lead to", async () => {
    const page = '<h1 id="top">A</h1><a name="old"></a><h2 id="caf&eacute;">B</h2><p id="p">';
    const site = publishedSite((path) => {
      const type = path === "text/" ? "text/plain" : "text/html; charset=utf-8";
      return new Response(page, { headers: { "content-type": type } });
    });
    const anchors: Record<string, string[]> = { a: ["top", "café", "old", "lost"], text: ["top"], none: [] };
    const report = await checkAddresses({
      get: openFetch(site.url, { folders: [], privateHosts: ["127.0.0.1"] }),
      siteUrl: site.url,
      paths: ["a", "text", "none", "unknown"],
      cited: async (path) =>
        path === "unknown" ? undefined : { href: `/${path}/`, anchors: anchors[path] ?? [] },
      signal,
    });
    expect(report).toEqual({
      asked: 4,
      answering: 4,
      missing: [],
      anchors: { asked: 4, there: 3, missing: [`${site.url}/a/#lost`] },
    });
    // The addresses are those that readers are sent to.
    expect(site.asked.sort()).toEqual([
      "GET /docs/a/",
      "GET /docs/text/",
      "HEAD /docs/none/",
      "HEAD /docs/unknown",
    ]);
  });

  test("asks for each page once, by its head, and says which are missing", async () => {
    const site = publishedSite((path) => (path === "b" ? missing() : new Response("page")));
    expect(await check(site.url, ["", "a b", "b"])).toEqual({
      asked: 3,
      answering: 2,
      missing: [{ address: `${site.url}/b`, why: "404" }],
    });
    expect(site.asked.sort()).toEqual(["GET /docs/b", "HEAD /docs/", "HEAD /docs/a%20b", "HEAD /docs/b"]);
  });

  test("asks for nothing where one address has all pages, behind its #", async () => {
    const site = publishedSite();
    expect(await check(`${site.url}/#`, ["a"])).toMatchObject({
      asked: 0,
      note: expect.stringContaining("#"),
    });
    expect(site.asked).toEqual([]);
  });

  test("asks for a page whole where the server knows no other way", async () => {
    const site = publishedSite((_, method) =>
      method === "HEAD" ? new Response(null, { status: 405 }) : new Response("page"),
    );
    expect(await check(site.url, ["a"])).toMatchObject({ asked: 1, answering: 1 });
  });

  test("says that answers prove nothing where a page that cannot exist has one, and asks no further", async () => {
    const site = publishedSite(undefined, { answersForAll: true });
    const found = await check(site.url, numbered(100));
    expect(found).toEqual({
      asked: 0,
      answering: 0,
      missing: [],
      note: `the host also answers for ${site.url}/${IMPOSSIBLE}, which does not exist, as sites of one page do`,
    });
    expect(site.asked).toEqual(["HEAD /docs/p/0", `HEAD /docs/${IMPOSSIBLE}`]);
  });

  test("says that everything leads to a sign-in", async () => {
    const site = publishedSite(
      (path) => (path === "/login" ? new Response("Who are you?") : Response.redirect(`/login?next=${path}`)),
      { answersForAll: true },
    );
    const found = await check(site.url, numbered(100));
    expect(found).toMatchObject({ asked: 0, note: expect.stringContaining("to /login, as a sign-in does") });
    const closed = publishedSite(() => new Response(null, { status: 401 }));
    expect((await check(closed.url, ["a"])).missing[0]?.why).toBe("401, as behind a sign-in");
  });

  test("asks for 40 of many, from the first to the last", async () => {
    const site = publishedSite();
    expect(await check(site.url, numbered(1000))).toMatchObject({ asked: 40, answering: 40 });
    expect(new Set(site.asked).size).toBe(40);
    expect(site.asked).toContain("HEAD /docs/p/0");
    expect(site.asked).toContain("HEAD /docs/p/999");
  });

  test("follows a redirect on the host, and none to another", async () => {
    const elsewhere = publishedSite();
    const site = publishedSite((path) => {
      if (path === "a") return Response.redirect("/docs/a/");
      return path === "b" ? Response.redirect(`${elsewhere.url}/b`) : new Response("page");
    });
    const found = await check(site.url, ["a", "b"]);
    expect([found.asked, found.answering]).toEqual([2, 1]);
    expect(found.missing[0]?.why).toContain("another host");
    expect(elsewhere.asked).toEqual([]);
  });

  test("asks a private host for nothing unless the operator named it", async () => {
    const site = publishedSite();
    const found = await check(site.url, ["a", "b"], { privateHosts: [] });
    expect([found.asked, found.note]).toEqual([0, expect.stringContaining("private_hosts")]);
    expect(site.asked).toEqual([]);
  });

  test("says in one line that there is nobody to ask", async () => {
    const site = publishedSite();
    await servers.pop()?.stop(true);
    const found = await check(site.url, numbered(100));
    expect(found).toEqual({
      asked: 0,
      answering: 0,
      missing: [],
      note: expect.stringContaining("cannot be reached"),
    });
  });

  test("ends when it is told to", async () => {
    const site = publishedSite();
    expect(await check(site.url, ["a"], { until: AbortSignal.abort() })).toMatchObject({ asked: 0 });
    expect(site.asked).toEqual([]);
  });
});

describe("a run", () => {
  async function ran(
    kind: SourceKind,
    { url, checks = true }: { url: string | undefined; checks?: boolean },
  ) {
    using it = await openIngestSite();
    const runs = createSiteSources({
      seal: UNSEALED,
      sources: it.storage.sources,
      ingest: openIngest(it.storage, it.clock),
      openSourceReader: async () => trackedReader({ a: "zebra", b: "lion" }),
      openSiteFetch: openFetch,
      openPublishedSite: () => Promise.reject(new Error("nothing asks for published pages")),
      published: it.storage.published,
      permissions: { of: async () => ({ folders: [], privateHosts: ["127.0.0.1"] }) },
      uploads: { fileOf: async () => undefined, remove: async () => {} },
      checkLinks: createLinkCheck(it.storage.pages),
      findCited: createFindCited(it.storage.pages),
      isShared: false,
      clock: it.clock,
    });
    const source = await it.storage.sources.open(sourceSpec(it.site.id, { kind }), it.clock());
    const listed = await runs.get(it.site.id, source.id);
    const report = await runs.run({ ...it.site, url, generation: 0 }, listed, {
      signal,
      ...(checks && { checksAddresses: true }),
    });
    const [run] = await it.storage.ledger.runs(source.id, 1);
    return { addresses: report.addresses, links: report.links, counts: run?.counts };
  }

  test("asks once it is published, and the ledger keeps how many answered", async () => {
    const { url } = publishedSite((path) => (path === "b" ? missing() : new Response("page")));
    const { addresses, counts } = await ran("folder", { url });
    expect(addresses).toMatchObject({ asked: 2, answering: 1 });
    expect(counts).toMatchObject({ added: 2, addressesAsked: 2, addressesAnswering: 1 });
  });

  test("asks for nothing unless it is told to", async () => {
    const site = publishedSite();
    const { addresses, counts } = await ran("folder", { url: site.url, checks: false });
    expect([addresses, site.asked]).toEqual([undefined, []]);
    expect(counts).not.toHaveProperty("addressesAsked");
  });

  test("follows the links between pages of files, and none of a website, which has more pages than are read", async () => {
    expect((await ran("folder", { url: undefined })).links).toEqual({ links: 0, lost: 0, examples: [] });
    expect((await ran("website", { url: undefined })).links).toBeUndefined();
  });

  test("asks for nothing of a website, and where there is no URL", async () => {
    const site = publishedSite();
    expect((await ran("website", { url: site.url })).addresses?.note).toContain("read at their addresses");
    expect((await ran("folder", { url: undefined })).addresses?.note).toContain("no URL");
    expect(site.asked).toEqual([]);
  });
});
