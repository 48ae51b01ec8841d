import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { ANNOUNCING_PAGE, LONG_CODE } from "../../helpers/announced-code.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";
import { call, connect, faultOf, GENERATIONS, type McpClient, textOf } from "../../helpers/mcp-client.ts";
import { addSiteWithPages, readPages } from "../../helpers/public-site.ts";

// The official clients of both generations against a running server, over streamable HTTP.

const LONG = `# Long\n\n${"A line of words that goes on and on.\n\n".repeat(3000)}The end.`;

const PAGES = {
  "index.md": "# Start\n\nOpen to all.",
  "long.md": LONG,
  "guide/a b.md": "---\ndescription: Two letters\n---\n\n# A & B\n\nText of both letters.",
  "guide/index.md": "# Guide\n\nThe guide.",
  "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nThe xyzzy word.",
  "answers/one.md": "---\nquestions:\n  - What is plugh?\n---\n\nPlugh is an answer.",
};

const LONG_SECTION = "A line of words that goes on and on.\n\n".repeat(3000);
const VOTES_PAGES = {
  "a b/server.md": ANNOUNCING_PAGE,
  "c#.md": "# C#\n\n## Sharp\n\nA language.",
  "long.md": `# Long\n\nA word.\n\n## Tail\n\n${LONG_SECTION}The end.\n\n## Behind\n\nMore.`,
};
/** What a page says in each version. */
const MATERIALS = { 1: "wood", 2: "steel" };
/** The section as it was written, with those below it. */
const VOTES = ANNOUNCING_PAGE.slice(
  ANNOUNCING_PAGE.indexOf("## Votes"),
  ANNOUNCING_PAGE.indexOf("## Disks"),
).trim();

const FORGED_TITLE = "One](https://evil.example) [Two";
const MANY = Object.fromEntries(
  Array.from({ length: 450 }, (_, i) => [`p${String(i).padStart(3, "0")}.md`, `# Page ${i}\n\nText.`]),
);

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  await addSiteWithPages(docent, "open", PAGES);
  await addSiteWithPages(docent, "links", { "a.md": `---\ntitle: '${FORGED_TITLE}'\n---\n\nText.` });
  await addSiteWithPages(docent, "large", MANY);
  await addSiteWithPages(docent, "votes", VOTES_PAGES);
  for (const [version, material] of Object.entries(MATERIALS))
    await readPages(docent, "votes", { "old.md": `# Ballot\n\n## Boxes\n\nOf ${material}.` }, version);
  await addSiteWithPages(docent, "shown", { "server.md": ANNOUNCING_PAGE }, { url: "https://shown.example" });
});
afterAll(() => docent.close());

const resultsSchema = z.object({
  results: z.array(
    z.looseObject({
      id: z.string(),
      path: z.string(),
      url: z.string(),
      relevance: z.number(),
      content: z.string(),
    }),
  ),
});
const pagesSchema = z.object({
  pages: z.array(z.looseObject({ path: z.string(), url: z.string() })),
  nextCursor: z.string().optional(),
});
const pageSchema = z.object({ path: z.string(), markdown: z.string(), nextOffset: z.number().optional() });
const fetchedSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.record(z.string(), z.string()),
});

describe.each(GENERATIONS)("$name", (generation) => {
  const isOld = generation === GENERATIONS[0];
  let acme: McpClient;
  let open: McpClient;
  let votes: McpClient;
  beforeAll(async () => {
    acme = await connect(docent.url, "acme", { authorization: `Bearer ${docent.key}` }, generation);
    open = await connect(docent.url, "open", {}, generation);
    votes = await connect(docent.url, "votes", {}, generation);
  });
  afterAll(async () => {
    await acme.close();
    await votes.close();
    await open.close();
  });

  describe("what a server tells of itself", () => {
    test("its tools only read, and say what they take and give", async () => {
      const { tools } = await acme.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["search_docs", "read_page", "fetch", "list_pages"]);
      for (const { annotations, inputSchema, outputSchema, description } of tools) {
        expect(annotations).toEqual({
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        });
        expect([inputSchema, outputSchema]).toMatchObject([{ type: "object" }, { type: "object" }]);
        expect(description).toContain("Acme");
      }
    });

    test("its name, what it is for, and no promise that it does not keep", () => {
      expect(acme.getServerVersion()).toMatchObject({ name: "docent", title: "Acme (docs)" });
      expect(acme.getInstructions()).toContain("search_docs");
      expect(acme.getServerCapabilities()).toEqual({ tools: { listChanged: false }, resources: {} });
    });
  });

  describe("search_docs", () => {
    test("gives the passage that answers, as data and as text, with where it is published", async () => {
      const found = await call(acme, "search_docs", { query: "install on linux" });
      const [first] = resultsSchema.parse(found.structuredContent).results;
      expect(first).toMatchObject({
        path: "guide/install",
        url: "https://docs.acme.example/guide/install#linux",
      });
      expect(first?.content).toContain("sh install.sh --prefix /opt/acme");
      expect(textOf(found)).toContain("https://docs.acme.example/guide/install#linux");
      expect(textOf(found)).toContain("sh install.sh --prefix /opt/acme");
    });

    test("gives whole sections, with the code that a sentence announces", async () => {
      const found = await call(votes, "search_docs", { query: "quorum" });
      const [first] = resultsSchema.parse(found.structuredContent).results;
      expect(first?.id).toBe("/a%20b/server#votes");
      expect(first?.content).toContain(`Run this:\n\n${LONG_CODE}`);
      expect(textOf(found)).toContain(`Run this:\n\n${LONG_CODE}`);
    });

    test("gives no more than was asked for, and nothing where the docs have nothing", async () => {
      const one = await call(acme, "search_docs", { query: "acme installer retention", limit: 1 });
      expect(resultsSchema.parse(one.structuredContent).results).toHaveLength(1);
      const none = await call(acme, "search_docs", { query: "zzqx wvvk" });
      expect(none.structuredContent).toEqual({ results: [] });
      expect(textOf(none)).toContain("nothing");
    });

    test("a site without a URL is read where Docent itself shows it", async () => {
      const found = await call(open, "search_docs", { query: "text of both letters" });
      const [first] = resultsSchema.parse(found.structuredContent).results;
      expect(first?.url).toStartWith(`${docent.url}/sites/open/guide/a%20b`);
      expect((await fetch(first?.url ?? "")).status).toBe(200);
    });

    test.each([
      {},
      { query: 7 },
      { query: "x", limit: 0 },
      { query: "x", limit: 21 },
      { query: "x".repeat(1001) },
    ])("refuses %j with what is wrong", async (given) => {
      const refused = await call(acme, "search_docs", given);
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toMatch(/query|limit/);
    });
  });

  describe("read_page", () => {
    test.each([
      "guide/install",
      "/guide/install/",
      "guide/install.md",
      "https://docs.acme.example/guide/install",
    ])("gives the page at %s", async (path) => {
      const { structuredContent } = await call(acme, "read_page", { path });
      expect(structuredContent).toMatchObject({
        path: "guide/install",
        title: "Install Acme",
        url: "https://docs.acme.example/guide/install",
        markdown: expect.stringContaining("## Linux"),
      });
    });

    test("gives a long page in parts that make the whole", async () => {
      let markdown = "";
      let offset: number | undefined = 0;
      let parts = 0;
      while (offset !== undefined && parts < 20) {
        const { structuredContent } = await call(open, "read_page", { path: "long", offset });
        const part = pageSchema.parse(structuredContent);
        markdown += part.markdown;
        offset = part.nextOffset;
        parts++;
      }
      expect(parts).toBeGreaterThan(1);
      expect(markdown.trim()).toBe(LONG);
      const beyond = await call(open, "read_page", { path: "long", offset: 10_000_000 });
      expect(pageSchema.parse(beyond.structuredContent)).toEqual({ path: "long", markdown: "" });
    });
  });

  describe("a section", () => {
    test.each([
      { path: "a b/server", heading: "Votes" },
      { path: "a b/server", heading: "votes" },
      { path: "a b/server", heading: "#votes" },
      { path: "a b/server#votes" },
      { path: "/a%20b/server#votes" },
      { path: "a b/server.md#disks", heading: "votes" },
    ])("is all that %j reads, with the sections below it", async (given) => {
      const read = await call(votes, "read_page", given);
      expect(read.structuredContent).toEqual({
        path: "a b/server",
        title: "Server",
        url: `${docent.url}/sites/votes/a%20b/server#votes`,
        markdown: VOTES,
      });
      expect(textOf(read)).toBe(VOTES);
    });

    test("is read by its address, where the site is published and where Docent shows it", async () => {
      const shown = await connect(docent.url, "shown", {}, generation);
      for (const [client, url] of [
        [votes, `${docent.url}/sites/votes/a%20b/server#votes`],
        [shown, "https://shown.example/server#votes"],
      ] as const) {
        const { structuredContent } = await call(client, "read_page", { path: url });
        expect(structuredContent).toMatchObject({ url, markdown: VOTES });
      }
      await shown.close();
    });

    test("that is long is read in parts that make the whole", async () => {
      let markdown = "";
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { structuredContent } = await call(votes, "read_page", { path: "long#tail", offset });
        const part = pageSchema.parse(structuredContent);
        markdown += part.markdown;
        offset = part.nextOffset;
      }
      expect(markdown).toBe(`## Tail\n\n${LONG_SECTION}The end.`);
    });

    test("that is not there gives the page from its top, and says so", async () => {
      for (const given of [{ path: "a b/server#bolts" }, { path: "a b/server", heading: "bolts" }]) {
        const read = await call(votes, "read_page", given);
        const note = 'This page has no heading "bolts": here it is from its top.';
        expect(read.structuredContent).toMatchObject({
          url: `${docent.url}/sites/votes/a%20b/server`,
          markdown: expect.stringMatching(/^# Server/),
          note,
        });
        expect(textOf(read)).toStartWith(`(${note})\n\n# Server`);
      }
    });

    test("is not meant by a # in the path of a page", async () => {
      const { structuredContent } = await call(votes, "read_page", { path: "c#" });
      expect(pageSchema.parse(structuredContent).markdown).toContain("# C#");
      expect(structuredContent).not.toHaveProperty("note");
      const sharp = await call(votes, "read_page", { path: "/c%23#sharp" });
      expect(pageSchema.parse(sharp.structuredContent).markdown).toBe("## Sharp\n\nA language.");
    });
  });

  describe("fetch", () => {
    test("gives what a result of a search stands for, by its id or its address, as data and as JSON", async () => {
      const found = await call(votes, "search_docs", { query: "quorum" });
      const [first] = resultsSchema.parse(found.structuredContent).results;
      for (const id of [first?.id ?? "", first?.url ?? ""]) {
        const fetched = await call(votes, "fetch", { id });
        expect(fetched.structuredContent).toEqual({
          id,
          title: "Server › Votes",
          text: VOTES,
          url: first?.url,
          metadata: { path: "a b/server" },
        });
        expect(JSON.parse(textOf(fetched))).toEqual(fetched.structuredContent);
      }
    });

    test("gives the version that was found, of two pages of one path", async () => {
      for (const [version, material] of Object.entries(MATERIALS)) {
        const found = await call(votes, "search_docs", { query: "ballot boxes", version });
        const [first] = resultsSchema.parse(found.structuredContent).results;
        const fetched = await call(votes, "fetch", { id: first?.id });
        const { text, metadata } = fetchedSchema.parse(fetched.structuredContent);
        expect(text).toContain(material);
        expect(metadata).toEqual({ path: "old", version });
      }
    });

    test("says where a long page goes on, and that a page has no such heading", async () => {
      const { text } = fetchedSchema.parse((await call(votes, "fetch", { id: "/long" })).structuredContent);
      expect(text).toMatch(/\(It goes on: read_page, offset \d+\.\)$/);
      const { metadata } = fetchedSchema.parse(
        (await call(votes, "fetch", { id: "/old#bolts" })).structuredContent,
      );
      expect(metadata["note"]).toBe('This page has no heading "bolts": here it is from its top.');
    });

    test.each([{}, { id: 7 }, { id: "x".repeat(2001) }])("refuses %j with what is wrong", async (given) => {
      const refused = await call(votes, "fetch", given);
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining("id")]);
    });
  });

  describe("list_pages", () => {
    test("lists paths in order, in parts", async () => {
      const paths: string[] = [];
      let cursor: string | undefined;
      do {
        const { structuredContent } = await call(open, "list_pages", { limit: 1, ...(cursor && { cursor }) });
        const part = pagesSchema.parse(structuredContent);
        expect(part.pages).toHaveLength(1);
        paths.push(...part.pages.map(({ path }) => path));
        cursor = part.nextCursor;
      } while (cursor !== undefined);
      expect(paths).toEqual(["", "guide", "guide/a b", "long"]);
    });

    test("lists what is below a path", async () => {
      const { structuredContent } = await call(open, "list_pages", { under: "/guide/" });
      expect(structuredContent).toEqual({
        pages: [
          { path: "guide", title: "Guide", url: `${docent.url}/sites/open/guide` },
          {
            path: "guide/a b",
            title: "A & B",
            url: `${docent.url}/sites/open/guide/a%20b`,
            description: "Two letters",
          },
        ],
      });
    });

    test("a title leads nowhere but to its own page", async () => {
      const client = await connect(docent.url, "links", {}, generation);
      const listed = await call(client, "list_pages");
      await client.close();
      const own = `${docent.url}/sites/links/a`;
      expect(textOf(listed)).toBe(`- [One\\](https://evil.example) \\[Two](${own}), path /a`);
      expect(listed.structuredContent).toEqual({ pages: [{ path: "a", title: FORGED_TITLE, url: own }] });
    });

    test("refuses a cursor that it did not give", async () => {
      const refused = await call(open, "list_pages", { cursor: "no cursor!" });
      expect([refused.isError, textOf(refused)]).toEqual([true, "The cursor is not one that a list gave."]);
    });
  });

  describe("resources", () => {
    test("are the pages, each read under the address that the list gives", async () => {
      const { resources, nextCursor } = await open.listResources();
      expect(nextCursor).toBeUndefined();
      expect(resources.map(({ uri }) => uri)).toEqual([
        "docent://open/",
        "docent://open/guide",
        "docent://open/guide/a%20b",
        "docent://open/long",
      ]);
      for (const { uri, mimeType } of resources) {
        expect(mimeType).toBe("text/markdown");
        const { contents } = await open.readResource({ uri });
        expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: expect.stringContaining("# ") }]);
      }
    });

    test("have a template for those that are not listed yet", async () => {
      const { resourceTemplates } = await open.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["docent://open/{+path}"]);
    });

    test("many are all listed, in parts", async () => {
      const large = await connect(docent.url, "large", {}, generation);
      const uris: string[] = [];
      let cursor: string | undefined;
      do {
        const part = await large.listResources(cursor === undefined ? {} : { cursor });
        // SDK 2 asks for the parts by itself.
        if (isOld) expect(part.resources.length).toBeLessThanOrEqual(200);
        uris.push(...part.resources.map(({ uri }) => uri));
        cursor = part.nextCursor;
      } while (cursor !== undefined);
      expect([uris.length, new Set(uris).size]).toEqual([450, 450]);
      await large.close();
    });
  });

  describe("what must not be seen", () => {
    test.each([
      ["a hidden page", "hidden"],
      ["a curated answer", "answers/one"],
      ["a page that is not there", "nowhere"],
      ["a page of another site", "guide/install"],
    ])("%s cannot be read, and all are one and the same", async (_, path) => {
      for (const [tool, given] of [
        ["read_page", { path }],
        ["read_page", { path, heading: "Hidden" }],
        ["fetch", { id: `/${path}#hidden` }],
      ] as const) {
        const refused = await call(open, tool, given);
        expect([refused.isError, textOf(refused)]).toEqual([true, "There is no such page."]);
      }
      const error = await faultOf(open.readResource({ uri: `docent://open/${path}` }));
      expect(error).toEqual([-32602, "There is no such page."]);
    });

    test("nor found, nor listed", async () => {
      for (const query of ["xyzzy", "plugh", "install acme on linux"]) {
        const found = await call(open, "search_docs", { query, limit: 20 });
        expect(JSON.stringify(found)).not.toMatch(/xyzzy|[Pp]lugh|install\.sh/);
      }
      const { pages } = pagesSchema.parse((await call(open, "list_pages")).structuredContent);
      expect(pages.map(({ path }) => path)).not.toContain("hidden");
    });

    test("a resource of another site is not there", async () => {
      const error = await faultOf(open.readResource({ uri: "docent://acme/guide/install" }));
      expect(error).toEqual([-32602, "There is no such page."]);
    });
  });
});
