import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { isShared } from "../helpers/shared-database.ts";

const PAGES = {
  "index.md": "# Start\n\nHello.",
  "v1/message.md": "# A page called as a route is\n\nText.",
  "guide/index.md": "# Guide\n\nFirst [a and b](./a%20b.md).",
  "guide/a b.md": "Text without a heading.",
  "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nSecret.",
};

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  await addSiteWithPages(docent, "open", PAGES, { url: "https://docs.open.example/en" });
  await addSiteWithPages(docent, "bare", PAGES);
  await addSiteWithPages(docent, "closed", PAGES, { isPublic: false });
  const { people } = docent.app.parts;
  await people.sites.set("open", { hostNames: ["docs.open.example", "open.example"] });
  await people.sites.set("closed", { hostNames: ["closed.example"] });
});
afterAll(() => docent.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${docent.url}${path}`, { headers, redirect: "manual" });
const on = (host: string, path: string, headers: Record<string, string> = {}) =>
  get(path, { host, ...headers });

/** What can be told apart of a refusal. */
async function refusal(reply: Response) {
  const headers = Object.fromEntries(reply.headers);
  // The last echoes what a client sends.
  for (const name of ["x-request-id", "date", "access-control-allow-headers"]) delete headers[name];
  const body = (await reply.text()).replace(/"requestId":"\w+"/, "");
  return { status: reply.status, body, headers };
}

describe("a page as Markdown", () => {
  test.each([
    ["index.md", "# Start\n\nHello.\n"],
    ["guide.md", "# Guide\n\nFirst [a and b](https://docs.open.example/en/guide/a%20b).\n"],
    ["guide/index.md", "# Guide\n\nFirst [a and b](https://docs.open.example/en/guide/a%20b).\n"],
    ["guide/README.md", "# Guide\n\nFirst [a and b](https://docs.open.example/en/guide/a%20b).\n"],
    ["guide/a%20b.md", "# a b\n\nText without a heading.\n"],
  ])("is at %s, with its title", async (path, expected) => {
    const reply = await get(`/sites/open/${path}`);
    expect([reply.status, await reply.text()]).toEqual([200, expected]);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "text/markdown; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    });
  });

  test("says where it is published, if it is", async () => {
    expect((await get("/sites/open/guide/a%20b.md")).headers.get("link")).toBe(
      '<https://docs.open.example/en/guide/a%20b>; rel="canonical"',
    );
    expect((await get("/sites/bare/guide/a%20b.md")).headers.get("link")).toBeNull();
  });

  test("is named by the reader's page, in the version that is shown", async () => {
    expect((await get("/sites/open/guide")).headers.get("link")).toBe(
      `<${docent.url}/sites/open/guide.md>; rel="alternate"; type="text/markdown", <https://docs.open.example/en/guide>; rel="canonical"`,
    );
    expect((await get("/sites/bare/?version=2")).headers.get("link")).toBe(
      `<${docent.url}/sites/bare/index.md?version=2>; rel="alternate"; type="text/markdown"`,
    );
    const { people } = docent.app.parts;
    const signed = people.readerLinks.query(await people.sites.get("closed"), { groups: [], path: "guide" });
    const shown = await get(`/sites/closed/guide${signed}`);
    expect([shown.status, shown.headers.get("link")]).toEqual([200, null]);
  });

  test("is not sent again to who has it", async () => {
    const first = await get("/sites/open/guide.md");
    const known = { "if-none-match": first.headers.get("etag") ?? "" };
    const again = await get("/sites/open/guide.md", known);
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await get("/sites/open/index.md", known)).status).toBe(200);
  });

  test("a page of a site that is not public, even with a signed link to it, is as one that is not there", async () => {
    const missing = await refusal(await get("/sites/nowhere/guide.md"));
    expect(missing.status).toBe(404);
    expect(await refusal(await get("/sites/closed/guide.md"))).toEqual(missing);
    const { people } = docent.app.parts;
    const signed = people.readerLinks.query(await people.sites.get("closed"), { groups: [], path: "guide" });
    expect(await refusal(await get(`/sites/closed/guide.md${signed}`))).toEqual(missing);
  });

  test("a hidden page is as one that is not there", async () => {
    const missing = await refusal(await get("/sites/open/nowhere.md"));
    expect(missing.status).toBe(404);
    expect(await refusal(await get("/sites/open/hidden.md"))).toEqual(missing);
  });
});

describe("on a host name that the operator gave the site", () => {
  test("its lists and pages are at the root, with links that stay there", async () => {
    const list = await (await on("docs.open.example", "/llms.txt")).text();
    expect(list).toContain("- [Start](http://docs.open.example/index.md)");
    expect(list).toContain("(http://docs.open.example/guide/a%20b.md)");
    const other = await (await on("OPEN.example.:8080", "/llms.txt")).text();
    expect(other).toContain("(http://open.example:8080/index.md)".replace("open.example", "open.example."));
    const full = await on("docs.open.example", "/llms-full.txt");
    expect(await full.text()).toContain("Source: http://docs.open.example/guide.md");
    const page = await on("docs.open.example", "/guide/a%20b.md");
    expect([page.status, await page.text()]).toEqual([200, "# a b\n\nText without a heading.\n"]);
    expect(page.headers.get("x-request-id")).toHaveLength(26);
  });

  test("a page may be called as a route is", async () => {
    const reply = await on("docs.open.example", "/v1/message.md");
    expect(await reply.text()).toStartWith("# A page called as a route is\n");
  });

  test("who has it is told so, and a question for its headers alone is answered", async () => {
    const first = await on("docs.open.example", "/llms.txt");
    const etag = first.headers.get("etag") ?? "";
    expect((await on("docs.open.example", "/llms.txt", { "if-none-match": etag })).status).toBe(304);
    // Its links are others.
    expect((await on("open.example", "/llms.txt", { "if-none-match": etag })).status).toBe(200);
    const head = await fetch(`${docent.url}/guide.md`, { method: "HEAD", headers: { host: "open.example" } });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  });

  test("nothing of other sites is there, public or not", async () => {
    for (const path of [
      "/sites/bare/index.md",
      "/sites/bare",
      "/sites/bare/llms.txt",
      "/sites/%62are/index.md",
    ]) {
      expect([path, (await on("docs.open.example", path)).status]).toEqual([path, 404]);
      expect((await get(path)).status).toBe(200);
    }
    const asked = await fetch(`${docent.url}/mcp/bare`, {
      method: "POST",
      headers: { host: "docs.open.example" },
    });
    expect(asked.status).toBe(404);
    expect((await on("docs.open.example", "/sites/open/index.md")).status).toBe(200);
  });

  test("a site that is not public has nothing there, as a host that was given to none", async () => {
    for (const path of ["/llms.txt", "/llms-full.txt", "/guide.md", "/hidden.md"]) {
      const nobody = await refusal(await on("nobody.example", path));
      expect(nobody.status).toBe(404);
      expect(await refusal(await on("closed.example", path))).toEqual(nobody);
      expect(await refusal(await get(path))).toEqual(nobody);
    }
    const missing = await refusal(await on("docs.open.example", "/nowhere.md"));
    expect(await refusal(await on("docs.open.example", "/hidden.md"))).toEqual(missing);
    expect(missing.status).toBe(404);
  });

  test("below a base path, it is below that too", async () => {
    const below = await startDocent({
      settings: { base_path: "/docent", public_url: "https://a.example/docent" },
    });
    try {
      await addSiteWithPages(below, "open", PAGES);
      await below.app.parts.people.sites.set("open", { hostNames: ["open.example"] });
      const headers = { host: "open.example" };
      const list = await (await fetch(`${below.url}/llms.txt`, { headers })).text();
      expect(list).toContain("(https://open.example/docent/guide.md)");
      expect((await fetch(`${new URL(below.url).origin}/llms.txt`, { headers })).status).toBe(404);
      const own = await (await fetch(`${below.url}/sites/open/llms.txt`)).text();
      expect(own).toContain("(https://a.example/docent/sites/open/guide.md)");
    } finally {
      await below.close();
    }
  });
});

describe("who gives host names", () => {
  test("two sites cannot have one", async () => {
    const { people } = docent.app.parts;
    await expect(people.sites.set("bare", { hostNames: ["open.example"] })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(people.sites.add({ domain: "more", hostNames: ["open.example"] })).rejects.toMatchObject({
      code: "conflict",
    });
    await people.sites.set("open", { hostNames: ["docs.open.example", "open.example"] });
  });

  test.each([
    "open.example:80",
    "https://open.example",
    "Open.example",
    "10.0.0.1",
    "",
    "a..b",
    "-a",
    "*.example",
  ])("%j is none", async (name) => {
    await expect(docent.app.parts.people.sites.set("bare", { hostNames: [name] })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("a site's settings do not bring them along", async () => {
    const settings = { contact: "", hosts: ["taken.example"] };
    const changed = await docent.app.parts.people.sites.set("bare", { settings });
    expect(changed.settings.hosts).toEqual([]);
  });
});

// Over PostgreSQL all that differs is what reaches the database.
const ADDRESSES = isShared ? 600 : 4000;
test(`${ADDRESSES} addresses that are nearly right are a page or are not there`, async () => {
  const random = seededRandom(20261121);
  const pick = <T>(from: readonly T[], or: T): T => from[Math.floor(random() * from.length)] ?? or;
  const WORDS = [
    "guide",
    "a%20b",
    "index",
    "hidden",
    "README",
    "llms.txt",
    "llms-full.txt",
    "..",
    ".",
    "%2e%2e",
    "%00",
    "%",
    "%E0%A4%A",
    "%2F",
    "",
    "v1",
    "sites",
    "open",
    "mcp",
    "x".repeat(500),
    "%F0%9F%98%80",
    "?version=2",
    "#",
  ];
  const seen = new Map<number, number>();
  const ask = async () => {
    const words = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(WORDS, ""));
    const path = `/${random() < 0.5 ? "sites/open/" : ""}${words.join("/")}${random() < 0.7 ? ".md" : ""}`;
    const host = pick(["docs.open.example", "open.example:1", "closed.example", "localhost"], "");
    const reply = await on(host, path, { "if-none-match": pick(["*", '"x"', "W/", ","], "") });
    const text = await reply.text();
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
    expect([200, 304, 404, 405], `${host} ${path} ${text}`).toContain(reply.status);
    expect(text).not.toContain("Secret.");
  };
  for (let at = 0; at < ADDRESSES; at += 4) await Promise.all([ask(), ask(), ask(), ask()]);
  for (const status of [200, 404]) expect(seen.get(status) ?? 0).toBeGreaterThan(ADDRESSES / 20);
});
