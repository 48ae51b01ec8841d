import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { DocumentReading } from "../../src/reading/document-process/documents.ts";
import { placeMark } from "../../src/reading/markdown/anchors.ts";
import { createFolderReader } from "../../src/reading/sources/folder/folder.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const BYTES = "%PDF-1.7 the bytes of a manual";
const NAME = "Manual (draft) é.pdf";

/** Reads each document as a manual of 12 pages. */
const documents: DocumentReading = {
  bytesMax: 1000,
  keptBytesMax: 100,
  read: async () => ({
    data: { title: "The manual" },
    markdown: [
      placeMark("page=1"),
      "# The manual",
      "What it is for, in a few words.",
      placeMark("page=12"),
      "## Winterizing",
      "Drain the pump before the first frost, and store it dry.",
    ].join("\n\n"),
    faults: [],
  }),
};

const folder = temporaryDirectory();
let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null });
  await Bun.write(join(folder.path, "files", NAME), BYTES);
  await Bun.write(join(folder.path, "large.pdf"), BYTES.repeat(10));
  await Bun.write(join(folder.path, "index.md"), `# Home\n\n[Winter](<files/${NAME}#page=12>)`);
  for (const [domain, isPublic] of [
    ["open", true],
    ["closed", false],
  ] as const)
    await read(domain, isPublic);
});
afterAll(async () => {
  await docent.close();
  folder[Symbol.dispose]();
});

async function read(domain: string, isPublic: boolean) {
  const { people, sources } = docent.app.parts;
  const known = (await people.sites.list()).find((site) => site.domain === domain);
  const site = known ?? (await people.sites.add({ domain, name: domain, settings: { public: isPublic } }));
  return sources.ingest.run({
    source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
    reader: createFolderReader({ root: folder.path, fileBytesMax: 100_000, documents }),
    generation: site.generation,
    signal: new AbortController().signal,
  });
}

const get = (path: string) => fetch(`${docent.url}${path}`, { redirect: "manual" });
const downloadIn = (html: string) =>
  /<p class="original"><a href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
const encoded = encodeURIComponent(NAME).replaceAll("(", "%28").replaceAll(")", "%29");

describe("a document in the reader", () => {
  test("is its text, with the places that citations lead to, and the document itself to download", async () => {
    const html = await (await get(`/sites/open/files/${encoded}`)).text();
    expect(html).toContain("Drain the pump");
    expect(html).toContain('id="page=12"');
    const reply = await get(downloadIn(html) ?? "");
    expect(await reply.text()).toBe(BYTES);
    expect(reply.headers.get("content-type")).toBe("application/pdf");
    expect(reply.headers.get("content-disposition")).toBe(
      "attachment; filename*=UTF-8''Manual%20%28draft%29%20%C3%A9.pdf",
    );
    expect(reply.headers.get("content-security-policy")).toContain("sandbox");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("is found by search and linked at the page of it where the passage begins", async () => {
    const reply = await fetch(`${docent.url}/v1/search/open`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
      body: JSON.stringify({ query: "drain pump frost" }),
    });
    expect(await reply.text()).toContain(`files/${encoded}#page=12`);
    expect(await (await get("/sites/open")).text()).toContain(
      `href="/sites/open/files/${encoded}?at=12#page=12"`,
    );
  });

  test("has nothing to download where it is too large to be kept, and the ledger says so", async () => {
    expect(downloadIn(await (await get("/sites/open/large.pdf")).text())).toBeUndefined();
    const { people, sources } = docent.app.parts;
    const site = await people.sites.get("open");
    const [source] = await sources.ofSites.list(site.id);
    const entries = await sources.ledger.entries(source?.id ?? 0);
    expect(entries.find(({ location }) => location === "large.pdf")?.detail).toBe(
      "is larger than 100 bytes, and so not kept to download",
    );
  });

  test("of a site that is not public opens by the link of its page alone", async () => {
    const { people } = docent.app.parts;
    const site = await people.sites.get("closed");
    const path = `files/${NAME}`;
    const page = await (
      await get(`/sites/closed/files/${encoded}${people.readerLinks.query(site, { groups: [], path })}`)
    ).text();
    const address = downloadIn(page) ?? "";
    expect(await (await get(address)).text()).toBe(BYTES);
    expect((await get(address.split("?", 1)[0] ?? "")).status).toBe(404);
    expect((await get(address.replace(/[0-9a-f]{64}/, "0".repeat(64)))).status).toBe(404);
  });

  test("is read again, with its new file to download, where its words are the same", async () => {
    await Bun.write(join(folder.path, "files", NAME), `${BYTES}, second edition`);
    expect(await read("open", true)).toMatchObject({ changed: 1 });
    const html = await (await get(`/sites/open/files/${encoded}`)).text();
    expect(await (await get(downloadIn(html) ?? "")).text()).toBe(`${BYTES}, second edition`);
    expect(await read("open", true)).toMatchObject({ changed: 0 });
  });
});

describe("a long document in the reader", () => {
  const long = temporaryDirectory();
  const pageOf = (number: number) =>
    [placeMark(`page=${number}`), `## Chapter ${number}`, `Words of page ${number}. `.repeat(150)].join(
      "\n\n",
    );
  const manual: DocumentReading = {
    bytesMax: 1000,
    keptBytesMax: 0,
    read: async () => ({
      data: { title: "Long" },
      markdown: Array.from({ length: 60 }, (_, index) => pageOf(index + 1)).join("\n\n"),
      faults: [],
    }),
  };

  test("is shown in parts, with links to the others, and a citation leads to the part that it is in", async () => {
    await Bun.write(join(long.path, "long.pdf"), "long");
    const { people, sources } = docent.app.parts;
    const site = await people.sites.add({ domain: "long", name: "Long", settings: { public: true } });
    await sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: long.path, version: "", language: "" },
      reader: createFolderReader({ root: long.path, fileBytesMax: 100_000, documents: manual }),
      generation: site.generation,
      signal: new AbortController().signal,
    });
    long[Symbol.dispose]();
    const first = await (await get("/sites/long/long.pdf")).text();
    expect(first).toContain("Words of page 1.");
    expect(first).not.toContain("Words of page 50.");
    expect(first.length).toBeLessThan(200_000);
    const links = [...first.matchAll(/<li><a href="(\/sites\/long\/long\.pdf\?at=\d+#page=\d+)">/g)].map(
      ([, link = ""]) => link,
    );
    expect(links.length).toBeGreaterThan(1);
    const next = await (await get(links[0] ?? "")).text();
    expect(next).not.toContain("Words of page 1.");
    const reply = await fetch(`${docent.url}/v1/search/long`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
      body: JSON.stringify({ query: "chapter 50" }),
    });
    expect(await reply.text()).toContain("#page=50");
    const results = await (await get("/sites/long?q=%22page+50%22")).text();
    const cited = /href="(\/sites\/long\/long\.pdf\?at=50#page=50)"/.exec(
      results.replaceAll("&amp;", "&"),
    )?.[1];
    expect(await (await get(cited ?? "/")).text()).toContain('id="page=50"');
  });
});
