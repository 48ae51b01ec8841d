import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { createEmbeddedReader } from "../../src/sites/ingest/embedded-reader.ts";
import { type Part, partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { hrefs } from "../helpers/select-html.ts";

// Names that mean something else in an address or in Markdown, and what a signature opens.

const NAMES = [
  "c#",
  "what?",
  "50%",
  "a%20b",
  "sp ace",
  "br[ack]et",
  "pa(ren)",
  "tick`s",
  "日本",
  'q"uote',
  "x.html",
];

/** What only one of the pages is about, so that it is the one to be cited. */
const ANIMALS = "heron otter badger falcon lynx weasel marten ibex puffin walrus gecko".split(" ");

const sourceSchema = z.object({ url: z.string() });

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null });
  const { people } = docent.app.parts;
  await people.sites.set("acme", { url: "" });
  await ingest(
    "",
    Object.fromEntries(
      NAMES.map((name, index) => [
        `guide/${name}.md`,
        `# T\n\nThe zebra lives in ${name}.\n\nThe ${ANIMALS[index]} sleeps all day long.`,
      ]),
    ),
  );
});
afterAll(() => docent.close());

async function ingest(version: string, files: Record<string, string>): Promise<void> {
  const { people, sources } = docent.app.parts;
  const { id, generation } = await people.sites.get("acme");
  await sources.ingest.run({
    source: { siteId: id, kind: "demo", location: `docs ${version}`, version, language: "" },
    reader: createEmbeddedReader(files),
    generation,
    signal: new AbortController().signal,
  });
}

const sourcesIn = (parts: Part[]) =>
  parts.filter(({ code }) => code === "h").map(({ value }) => sourceSchema.parse(value).url);

async function ask(text: string) {
  const reply = await docent.post(question(text, { retrievalPageSize: 20 }));
  const wire = await reply.text();
  return { text: textOf(wire), parts: partsOf(wire) };
}

describe("pages with odd names", () => {
  test("every citation leads to its page", async () => {
    const cited = new Set<string>();
    for (const animal of ANIMALS) {
      const { parts } = await ask(`When does the ${animal} sleep?`);
      for (const url of sourcesIn(parts)) cited.add(url);
    }
    expect(cited.size).toBe(NAMES.length);
    for (const url of cited) expect((await fetch(url)).status, url).toBe(200);
  });

  test("links of the search part, and suggestions, are addresses", async () => {
    const { parts, text } = await ask("Where does the zebra live?");
    const wire = JSON.stringify(parts.find(({ code }) => code === "a")?.value);
    const encoded = [
      "c%23",
      "what%3F",
      "50%25",
      "a%2520b",
      "sp%20ace",
      "br%5Back%5Det",
      "pa%28ren%29",
      "tick%60s",
    ];
    for (const name of encoded) expect(wire).toContain(`"href":"/guide/${name}#t"`);
    expect(text).toContain("```suggestions");
    for (const [, path] of text.matchAll(/^\([^)]*\)\[(.*)\]$/gm)) expect(path).toMatch(/^[/\w%.-]+$/);
  });

  test("every page of the site can be read under its address", async () => {
    const { people } = docent.app.parts;
    const site = await people.sites.get("acme");
    for (const name of NAMES) {
      const path = `guide/${name}`;
      const query = people.readerLinks.query(site, { groups: [], path });
      const reply = await fetch(`${docent.url}/sites/acme/guide/${encodeURIComponent(name)}${query}`);
      expect(reply.status, name).toBe(200);
    }
  });

  test("links between such pages lead there", async () => {
    await ingest("links", {
      "links/a#b/from.md": `# From\n\n${NAMES.map((name) => `[x](<../../guide/${encodeURIComponent(name)}.md>)`).join(" ")} [y](./near.md)`,
      "links/a#b/near.md": "# Near\n\nHere.",
    });
    const { people } = docent.app.parts;
    const query = people.readerLinks.query(await people.sites.get("acme"), {
      groups: [],
      path: "links/a#b/from",
    });
    const html = await (await fetch(`${docent.url}/sites/acme/links/a%23b/from${query}`)).text();
    const links = await hrefs(html, "article p a");
    expect(links).toHaveLength(NAMES.length + 1);
    for (const link of links) expect((await fetch(docent.url + link)).status, link).toBe(200);
  });
});

describe("a signature", () => {
  beforeAll(async () => {
    await ingest("1", {
      "plan.md": "# Plan\n\nThe walrus of version one. [next](more.md)",
      "more.md": "# More\n\nOne.",
    });
    await ingest("2", { "plan.md": "# Plan\n\nThe walrus of version two.", "more.md": "# More\n\nTwo." });
    await docent.app.parts.people.sites.set("acme", { settings: { defaultVersion: "1" } });
  });

  const get = (path: string, query: string) => fetch(`${docent.url}/sites/acme/${path}${query}`);

  test("opens the version it was made for, and no other", async () => {
    const { people } = docent.app.parts;
    const site = await people.sites.get("acme");
    const query = people.readerLinks.query(site, { groups: [], path: "plan", version: "1" });
    expect(await (await get("plan", query)).text()).toContain("version one");
    for (const other of [
      query.replace("version=1", "version=2"),
      query.replace("version=1", ""),
      `${query}&language=de`,
    ]) {
      expect((await get("plan", other)).status, other).toBe(404);
    }
    const plain = people.readerLinks.query(site, { groups: [], path: "plan" });
    expect(await (await get("plan", plain)).text()).toContain("version one");
    expect((await get("plan", `${plain}&version=2`)).status).toBe(404);
  });

  test("of a cited version opens it, and the pages it links to in that version", async () => {
    const { parts } = await ask("walrus version two");
    const link = sourcesIn(parts).find((url) => url.includes("version=2")) ?? "";
    expect(await (await fetch(link)).text()).toContain("version two");
    const { people } = docent.app.parts;
    const html = await (
      await get(
        "plan",
        people.readerLinks.query(await people.sites.get("acme"), { groups: [], path: "plan", version: "1" }),
      )
    ).text();
    const [next = ""] = await hrefs(html, "article p a");
    expect(next).toContain("version=1");
    expect((await fetch(docent.url + next)).status).toBe(200);
  });
});
