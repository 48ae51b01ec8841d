import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { createOwnReading } from "../../../src/reading/document-process/documents.ts";
import { ownAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import type { SourceKind, SourceOptions } from "../../../src/reading/source.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createOpenSourceReader } from "../../../src/reading/sources/sources.ts";
import { type FakePage, type FakeSite, htmlPage, sitemapOf, startFakeSite } from "../../helpers/fake-site.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const SECRET = "s3cret-t0ken";

interface Reading extends SourceOptions {
  secret?: string;
  /** The setting source_variables. */
  credentials?: string[];
}

/** Reads a source as a run does, with a secret in the variable that it names. Gives all that a run would write down. */
async function readWith(
  kind: SourceKind,
  location: string,
  { secret = SECRET, credentials = [], ...options }: Reading = {},
) {
  using cache = temporaryDirectory();
  const open = createOpenSourceReader({
    seal: UNSEALED,
    cacheFolder: cache.path,
    pageBytesMax: 1_000_000,
    documents: createOwnReading(1_000_000),
    asciidoc: ownAsciidoc,
    pagesMax: 100,
    certificateAuthorities: [],
    fetchMs: 10_000,
    fetchesAtOnce: 2,
    clock: Date.now,
    environment: { TOKEN: secret },
    credentials,
  });
  const source = { id: 1, siteId: 1, kind, location, version: "", language: "" };
  const noted: string[] = [];
  const paths: string[] = [];
  try {
    const reader = await open(source, {
      authorizationVariable: "TOKEN",
      ...options,
      siteUrl: undefined,
      allowed: { folders: [], privateHosts: ["127.0.0.1", "localhost"] },
    });
    for await (const item of reader.list(listContext())) {
      noted.push(Bun.inspect(item));
      if (isSkipped(item)) continue;
      paths.push(item.path);
      await item.read();
    }
  } catch (error) {
    noted.push(Bun.inspect(error), String(error), JSON.stringify(error));
  }
  return { paths, noted: noted.join("\n") };
}

const sentTo = (site: FakeSite) => site.requests.map(({ headers }) => headers.get("authorization"));

/** A site that is closed to those who do not sign in. */
function closedSite(pages: Record<string, FakePage>, wanted = `Bearer ${SECRET}`): FakeSite {
  const closed = Object.entries(pages).map(([path, page]): [string, FakePage] => [
    path,
    (request) => (request.headers.get("authorization") === wanted ? page : { status: 401, body: "no" }),
  ]);
  return startFakeSite(Object.fromEntries(closed));
}

describe("what a source signs in with", () => {
  test("goes to its own host at each request, and to no other that a page, a sitemap or a redirect names", async () => {
    await using other = startFakeSite({ "/stolen": htmlPage("Other"), "/sitemap.xml": sitemapOf([]) });
    await using site = closedSite({});
    const otherName = other.url.replace("127.0.0.1", "localhost");
    const wanted = (page: FakePage): FakePage => page;
    Object.assign(site.pages, {
      "/robots.txt": `User-agent: *\nAllow: /\nSitemap: ${other.url}/sitemap.xml\nSitemap: ${site.url}/sitemap.xml\n`,
      "/sitemap.xml": sitemapOf([
        `${site.url}/a`,
        `${other.url}/stolen`,
        `${site.url}/away`,
        `${otherName}/stolen`,
      ]),
      "/a": wanted(htmlPage("A", [`${other.url}/stolen`])),
      "/away": { status: 302, headers: { location: `${other.url}/stolen` } },
    });
    const { paths } = await readWith("website", `${site.url}/`);
    expect(paths).toContain("a");
    expect(new Set(sentTo(site))).toEqual(new Set([`Bearer ${SECRET}`]));
    expect(sentTo(other).filter((sent) => sent !== null)).toEqual([]);
  });

  test.each([
    ["website", "/"],
    ["llms-txt", "/llms.txt"],
    ["openapi", "/openapi.json"],
  ] as const)(
    "is in nothing that a run of a %s writes down, whatever the server makes of it",
    async (kind, path) => {
      const echo: FakePage = (request) => ({
        status: 403,
        headers: { "content-type": "text/plain", "x-echo": String(request.headers.get("authorization")) },
        body: `You sent ${request.headers.get("authorization")}`,
      });
      await using site = startFakeSite({ [path]: echo, "/robots.txt": echo, "/sitemap.xml": echo });
      const { noted } = await readWith(kind, `${site.url}${path}`);
      expect(sentTo(site)).toContain(`Bearer ${SECRET}`);
      expect(noted).not.toContain(SECRET);
    },
  );

  test("of an llms.txt goes to the host of that, and not to those of its links", async () => {
    await using other = startFakeSite({ "/a.md": "# A" });
    await using site = closedSite({});
    site.pages["/llms.txt"] = `# Docs\n\n- [Other](${other.url}/a.md)\n- [Own](${site.url}/b.md)\n`;
    site.pages["/b.md"] = { headers: { "content-type": "text/markdown" }, body: "# B" };
    const { paths } = await readWith("llms-txt", `${site.url}/llms.txt`);
    expect(paths).toEqual(["b"]);
    expect(other.asked()).toEqual([]);
  });

  test("of an llms.txt on disk goes nowhere: what writes the file would choose where", async () => {
    using folder = temporaryDirectory();
    await using other = startFakeSite({
      "/a.md": { headers: { "content-type": "text/markdown" }, body: "# A" },
    });
    const file = join(folder.path, "llms.txt");
    writeFileSync(file, `# Docs\n\n- [A](${other.url}/a.md)\n`);
    const { noted } = await readWith("llms-txt", file);
    expect(sentTo(other).filter((sent) => sent !== null)).toEqual([]);
    expect(noted).not.toContain(SECRET);
  });

  test("of a source that an admin key named is sent while the operator allows that, and not any longer", async () => {
    await using site = closedSite({ "/openapi.json": "{}" });
    const location = `${site.url}/openapi.json`;
    const confined = true as const;
    await readWith("openapi", location, { confined, credentials: [`TOKEN@${site.host}`] });
    expect(sentTo(site)).toEqual([`Bearer ${SECRET}`]);
    const { noted } = await readWith("openapi", location, { confined, credentials: ["TOKEN@127.0.0.1"] });
    expect(noted).toContain("source_variables");
    expect(sentTo(site)).toHaveLength(1);
  });

  test("may end in a line break, as files do; with one inside, or what no header holds, it is refused and not shown", async () => {
    await using site = closedSite({ "/openapi.json": "{}" });
    await readWith("openapi", `${site.url}/openapi.json`, { secret: `${SECRET}\n` });
    expect(sentTo(site)).toEqual([`Bearer ${SECRET}`]);
    for (const secret of [`${SECRET}\r\nx-evil: 1`, `${SECRET}\u0000`, `${SECRET}✓`, " \n"]) {
      const { noted } = await readWith("openapi", `${site.url}/openapi.json`, { secret });
      expect(noted).toMatch(/environment variable/);
      expect(noted).not.toContain(SECRET);
    }
    expect(sentTo(site)).toHaveLength(1);
  });
});
