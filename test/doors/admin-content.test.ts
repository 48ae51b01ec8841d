import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { explanationShape, indexedPageShape, pageListShape } from "../../src/doors/admin/shapes.ts";
import { CONNECTOR_KINDS, CONNECTOR_NAMES } from "../../src/reading/connectors/connectors.ts";
import { type AdminDoorUnderTest, type KeyName, startAdminDoor } from "../helpers/admin-door.ts";
import { zipBytes } from "../helpers/archive-bytes.ts";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor({ docs: null });
  await ingest("acme", "docs.zip", {
    "index.md": "# Home\n\nThe Acme handbook.",
    "zebra.md": "# Zebras\n\nA zebra has stripes.\n\n## Feeding\n\nFeed a zebra hay at noon.",
    "lion.md": "# Lions\n\nA lion sleeps for twenty hours.",
    "hidden.md": "---\nnoindex: true\n---\n# Hidden zebra\n\nA zebra nobody finds.",
    "empty.md": "",
    "_part.md": "# A part of zebra pages",
  });
  await ingest("acme", "old.zip", { "zebra.md": "# Zebras\n\nA zebra had spots in version one." }, "1");
});
afterAll(() => door.close());

async function ingest(domain: string, name: string, pages: Record<string, string>, version = "") {
  const query = new URLSearchParams({ name, version });
  const sent = await fetch(`${door.url}/v1/admin/sites/${domain}/uploads?${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${door.keys.server}` },
    body: zipBytes(Object.entries(pages).map(([path, text]) => ({ name: path, text }))),
  });
  const { number } = z.object({ number: z.number() }).parse(await sent.json());
  const asked = await door.ask("POST", `/sites/${domain}/sources/${number}/runs`, { as: "server" });
  const path = String(asked.headers.get("location")).replace("/v1/admin", "");
  while ((await door.expectStatus(200, "GET", path, { as: "server" }))["state"] !== "ended")
    await Bun.sleep(5);
}

const list = async (query: string, as: KeyName = "own") =>
  pageListShape.parse(await door.expectStatus(200, "GET", `/sites/acme/pages${query}`, { as }));
const explain = async (body: Record<string, unknown>, as: KeyName = "own") =>
  explanationShape.parse(await door.expectStatus(200, "POST", "/sites/acme/explain", { body, as }));

describe("pages", () => {
  test("are listed by path, hidden ones and every version of them too", async () => {
    const { pages, hasMore } = await list("");
    expect(hasMore).toBe(false);
    expect(pages.map(({ path, version }) => [path, version])).toEqual([
      ["", ""],
      ["empty", ""],
      ["hidden", ""],
      ["lion", ""],
      ["zebra", ""],
      ["zebra", "1"],
    ]);
    expect(pages.find(({ path }) => path === "hidden")).toMatchObject({
      hidden: true,
      title: "Hidden zebra",
    });
    expect(pages[4]).toMatchObject({ passages: expect.any(Number), updatedAt: expect.any(String) });
  });

  test("come in parts that together are the whole list", async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const part: z.infer<typeof pageListShape> = await list(
        `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...part.pages.map(({ path, version }) => `${path}@${version}`));
      cursor = part.nextCursor;
    }
    expect(seen).toEqual(["@", "empty@", "hidden@", "lion@", "zebra@", "zebra@1"]);
  });

  test("are looked for in paths and titles, whatever their case", async () => {
    expect((await list("?query=LIONS")).pages.map(({ path }) => path)).toEqual(["lion"]);
    expect((await list("?query=zebra&source=2")).pages.map(({ version }) => version)).toEqual(["1"]);
    expect((await list("?query=%25")).pages).toEqual([]);
    expect((await list("?query='%20OR%201=1")).pages).toEqual([]);
  });

  test("show their passages with headings and anchors", async () => {
    const reply = await door.ask("GET", "/sites/acme/page?path=zebra");
    const pages = z.array(indexedPageShape).parse(reply.body);
    expect(pages.map(({ version }) => version)).toEqual(["1", ""]);
    const text = pages[1]?.content.map(({ markdown }) => markdown).join("\n") ?? "";
    expect(text).toContain("Feed a zebra hay");
    expect(pages[1]?.content.every(({ hasVector }) => hasVector)).toBe(true);
    expect((await door.ask("GET", "/sites/acme/page?path=nowhere")).body).toEqual([]);
  });

  test.each([
    "?cursor=AAAA",
    "?cursor=W10",
    "?cursor=%00",
    "?limit=0",
    "?limit=501",
    "?source=x",
    "?query=a&query=b",
  ])("%s is refused", async (query) => {
    await door.expectStatus(400, "GET", `/sites/acme/pages${query}`);
  });
});

describe("why something is found", () => {
  test("the words that were searched, and what each passage has of them, in the order that readers get", async () => {
    const told = await explain({ question: "When do I feed a zebra quantum hay?" });
    expect(told.terms.map(({ word }) => word)).toEqual(["feed", "zebra", "quantum", "hay"]);
    const [best] = told.passages;
    expect(best).toMatchObject({ path: "zebra", version: "", standing: "listed", rank: 1 });
    expect(best?.has).toContain("hay");
    expect(best?.lacks).toContain("quantum");
    expect(best?.keyword?.rank).toBe(1);
    expect(best?.fused?.rank).toBe(1);
    expect(told.hasVectors).toBe(true);
    const { hits } = await door.app.parts.content.search.find({
      audience: "everything",
      siteId: (await door.app.parts.people.sites.get("acme")).id,
      text: "When do I feed a zebra quantum hay?",
      pageSize: told.pageSize,
    });
    const listed = told.passages.filter(({ standing }) => standing === "listed");
    expect(listed.map(({ path, version, relevance }) => [path, version, relevance])).toEqual(
      hits.map(({ path, version, relevance }) => [path, version, Math.round(relevance * 10_000) / 10_000]),
    );
    expect(told.gate.best).toBeCloseTo(Math.max(...hits.map(({ relevance }) => relevance)), 6);
  });

  test("the gate is the site's own where it has one", async () => {
    expect((await explain({ question: "zebra hay" })).gate.passes).toBe(true);
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { relevanceMin: 1 } } });
    expect((await explain({ question: "zebra hay" })).gate).toMatchObject({ relevanceMin: 1, passes: false });
    await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { relevanceMin: null } } });
  });

  test.each([
    ["lion", {}, ["not_proposed", "outranked", "behind", "listed"]],
    ["hidden", {}, ["hidden"]],
    ["empty", {}, ["no_passages"]],
  ] as const)("the page %s stands where it is said to stand", async (path, more, standings) => {
    const { page } = await explain({ question: "feed a zebra", path, ...more });
    expect(page?.path).toBe(path);
    expect(standings as readonly string[]).toContain(page?.pages[0]?.standing ?? "");
  });

  test("a filter that keeps a page out is named, for that version alone", async () => {
    const { page } = await explain({ question: "zebra stripes", path: "zebra", filter: { version: "2" } });
    expect(page?.pages.map(({ version, standing }) => [version, standing])).toEqual([
      ["1", "filtered"],
      ["", "listed"],
    ]);
  });

  test.each(["/zebra/", "zebra.md", "https://docs.acme.example/zebra.html?x=1#feeding"])(
    "a page is known by what people copy: %s",
    async (path) => {
      const { page } = await explain({ question: "zebra", path });
      expect(page).toMatchObject({ path: "zebra", pages: [{ version: "1" }, { standing: "listed" }] });
    },
  );

  test("of what is not in the index, the ledger is quoted", async () => {
    const { page } = await explain({ question: "zebra", path: "_part" });
    expect(page).toMatchObject({
      pages: [],
      ledger: [{ location: "_part.md", decision: "skipped", reason: "hidden", source: 1 }],
    });
    expect((await explain({ question: "zebra", path: "nowhere" })).page).toMatchObject({
      pages: [],
      ledger: [],
    });
  });

  test.each([
    [{ question: "" }],
    [{ question: "x".repeat(10_001) }],
    [{ question: "a", path: 1 }],
    [{ question: "a", pageSize: 0 }],
    [{ question: "a", filter: { version: 2 } }],
    [{ question: "a", limit: 1 }],
    [{}],
  ])("%j is refused", async (body) => {
    await door.expectStatus(400, "POST", "/sites/acme/explain", { body });
  });

  test("words that are orders elsewhere are words here", async () => {
    for (const question of ['" OR 1=1 --', "*", "site:rival NEAR(", "😀", "\u0000a", "the"])
      expect(await explain({ question, path: question })).toMatchObject({ page: { pages: [] } });
  });
});

describe("who may look", () => {
  const routes = [
    ["GET", "/sites/acme/pages"],
    ["GET", "/sites/acme/page?path=zebra"],
    ["GET", "/sites/acme/runs"],
    ["POST", "/sites/acme/explain", { question: "zebra" }],
  ] as const;

  test("a key that only reads sees all of it", async () => {
    for (const [method, path, body] of routes)
      expect((await door.ask(method, path, { as: "ownRead", body })).status).toBe(200);
  });

  test("to another organization the site looks missing", async () => {
    for (const [method, path, body] of routes) {
      const foreign = await door.ask(method, path, { as: "other", body });
      const missing = await door.ask(method, path.replace("acme", "nowhere"), { as: "other", body });
      const plain = (text: string) => text.replace(/"requestId":"\w+"/, "");
      expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
    }
  });

  test("another site's pages are in no list and no explanation", async () => {
    await ingest("rival", "secret.zip", { "secret.md": "# Secret zebra\n\nThe rival's zebra is blue." });
    expect((await list("?query=secret")).pages).toEqual([]);
    const told = await explain({ question: "secret zebra blue", path: "secret" });
    expect(JSON.stringify(told)).not.toContain("rival's");
    expect(told.page).toMatchObject({ pages: [], ledger: [] });
  });

  test("the folders and bounds of the server are told, its variables to keys of the server alone", async () => {
    expect(await door.expectStatus(200, "GET", "/source-rules")).toEqual({
      uploadBytesMax: 500_000_000,
      folders: [],
      variables: [],
      servers: CONNECTOR_KINDS.map((kind) => ({ kind, name: CONNECTOR_NAMES[kind] })),
    });
  });
});
