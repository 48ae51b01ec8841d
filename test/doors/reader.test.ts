import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { hrefs } from "../helpers/select-html.ts";

const DAY_MS = 24 * 3600 * 1000;

let docent: TestDocent;
let now = Date.now();
beforeAll(async () => {
  docent = await startDocent({ clock: () => now });
  const { people, sources } = docent.app.parts;
  await people.sites.set("acme", { url: "" });
  const open = await people.sites.add({
    domain: "open",
    name: "Open & <b>free</b>",
    settings: { public: true, language: "de" },
  });
  await sources.ingest.run({
    source: { siteId: open.id, kind: "demo", location: "docs", version: "", language: "" },
    reader: createEmbeddedReader({
      "index.md":
        "# Start\n\nSee [more](./guide/a%20b.md#part) and [bad](javascript:alert(1)) and <script>alert(1)</script>.",
      "guide/a b.md":
        "# A & B\n\n## Part\n\nText with ![logo](https://elsewhere.example/x.png). Back [home](../index.md).",
      "guide/index.md": "# Guide\n\nThe guide. First [a and b](./a%20b.md).",
      "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nSecret.",
    }),
    generation: 0,
    signal: new AbortController().signal,
  });
});
afterAll(() => docent.close());

const get = (path: string) => fetch(`${docent.url}${path}`, { redirect: "manual" });

/** The link that an answer of a site without a URL gives. */
async function cited(): Promise<string> {
  const reply = await docent.post(question("How do I install Acme on Linux?"));
  return /\((http[^)]+)\)/.exec(textOf(await reply.text()))?.[1] ?? "";
}

/** What can be told apart of a page that is not shown. */
async function refusal(path: string) {
  const reply = await get(path);
  const headers = Object.fromEntries(reply.headers);
  for (const name of ["x-request-id", "date"]) delete headers[name];
  return { status: reply.status, body: await reply.text(), headers };
}

describe("the reader", () => {
  test("shows the page that a citation leads to, at its heading", async () => {
    const link = await cited();
    expect(new URL(link).hash).toBe("#linux");
    const reply = await fetch(link);
    expect(reply.status).toBe(200);
    const html = await reply.text();
    expect(html).toContain('id="linux"');
    expect(html).toContain("sh install.sh --prefix /opt/acme");
  });

  test("shows text and names of the docs as text", async () => {
    const html = await (await get("/sites/open/")).text();
    expect(html).not.toContain("javascript:");
    expect(html).not.toContain("alert(1)</script>");
    expect(html).toContain("Open &amp; &lt;b&gt;free&lt;/b&gt;");
    expect(html).toContain('<html lang="de" dir="ltr">');
  });

  test("links lead to pages of the reader", async () => {
    const html = await (await get("/sites/open/")).text();
    const [href = ""] = await hrefs(html, "article p a");
    expect(href).toBe("/sites/open/guide/a%20b#part");
    const next = await get(href);
    expect(next.status).toBe(200);
    expect(await next.text()).toContain("A &amp; B");
  });

  test("links of an index page are relative to its folder", async () => {
    const html = await (await get("/sites/open/guide")).text();
    expect(html).toContain('href="/sites/open/guide/a%20b"');
  });

  for (const path of [
    "/sites/open",
    "/sites/open/index",
    "/sites/open/index.md",
    "/sites/open/guide",
    "/sites/open/guide/",
    "/sites/open/guide/README.md",
  ]) {
    test(`${path} is a page`, async () => {
      expect((await get(path)).status).toBe(200);
    });
  }

  test("a page that must not be shown is exactly one that is not there", async () => {
    const missing = await refusal("/sites/nobody/guide/install");
    const unsigned = await refusal("/sites/acme/guide/install");
    expect(unsigned).toEqual(missing);
    expect(missing.status).toBe(404);
    expect((await get("/sites/open/hidden")).status).toBe(404);
    expect((await get("/sites/open/nothing")).status).toBe(404);
  });

  test("a signature opens one page, for its time", async () => {
    const link = new URL(await cited());
    const { search } = link;
    expect((await get(`/sites/acme/guide/configure${search}`)).status).toBe(404);
    expect(
      (
        await get(
          `/sites/acme/guide/install${search.replace(/signature=./, (start) => `signature=${start.endsWith("A") ? "B" : "A"}`)}`,
        )
      ).status,
    ).toBe(404);
    expect(
      (await get(`/sites/acme/guide/install${search.replace(/until=\d+/, `until=${now + 999 * DAY_MS}`)}`))
        .status,
    ).toBe(404);
    expect((await get(`/sites/acme/guide/install${search}`)).status).toBe(200);
    now += 6.9 * DAY_MS;
    expect((await get(`/sites/acme/guide/install${search}`)).status).toBe(200);
    now += DAY_MS;
    expect((await get(`/sites/acme/guide/install${search}`)).status).toBe(404);
    now -= 7.9 * DAY_MS;
  });

  test("a link inside a signed page opens its target, and no longer than the page itself", async () => {
    const { people } = docent.app.parts;
    const site = await people.sites.get("acme");
    const first = people.readerLinks.query(site, { groups: [], path: "guide/configure" });
    now += 5 * DAY_MS;
    const html = await (await get(`/sites/acme/guide/configure${first}`)).text();
    const href = /href="([^"]*guide\/install[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await get(href)).status).toBe(200);
    expect(new URL(href, docent.url).searchParams.get("until")).toBe(new URLSearchParams(first).get("until"));
    now -= 5 * DAY_MS;
  });

  for (const path of [
    "/sites/acme/%00",
    "/sites/acme/%E0%A4%A",
    "/sites/../../etc/passwd",
    "/sites/acme/..%2f..%2fetc/passwd",
    "/sites/%2e%2e/x",
    `/sites/acme/${"a".repeat(5000)}`,
  ]) {
    test(`${path.slice(0, 40)} is not there`, async () => {
      expect((await get(path)).status).toBe(404);
    });
  }
});
