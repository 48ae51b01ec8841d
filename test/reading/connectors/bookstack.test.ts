import { describe, expect, test } from "bun:test";
import { describeConnector } from "../../contract/connector.ts";
import { openServer, readTitled } from "./open-server.ts";
import { startBookStack } from "./servers/bookstack.ts";

describeConnector("bookstack", async () => startBookStack());

describe("connector: bookstack, its own ways", () => {
  async function withPages(titles: readonly string[], manner: Parameters<typeof startBookStack>[0] = {}) {
    const server = startBookStack(manner);
    for (const title of titles) server.put({ title, words: `About ${title}.` });
    return server;
  }

  test("drafts and templates are left out, and said", async () => {
    await using server = await withPages(["Guide", "Draft of it", "Template"]);
    const { pages, leftOut } = await (await openServer("bookstack", server)).list();
    expect(pages.map(({ title }) => title)).toEqual(["Guide"]);
    expect(leftOut.map(({ address, detail }) => `${new URL(address).pathname} ${detail}`)).toEqual([
      "/books/my-own-book/draft/2 is a draft",
      "/books/my-own-book/page/template is a template for new pages",
    ]);
  });

  test("the menu has shelves, books, and chapters among pages in the order of the book", async () => {
    await using server = await withPages(["Page A", "Page B", "Page C", "Page D"]);
    const { menu } = await (await openServer("bookstack", server)).list();
    const outline = JSON.stringify(menu, (key, value) => (key === "address" ? undefined : value));
    const entry = (label: string, children: unknown[] = []) => ({ label, children });
    expect(JSON.parse(outline)).toEqual([
      entry("Manuals", [
        entry("My own book", [
          entry("Page A"),
          entry("Bridges", [entry("Page B"), entry("Page D")]),
          entry("Page C"),
        ]),
      ]),
    ]);
  });

  test.each([
    ["the wiki", "/", ["Page A", "Page B", "Page C"]],
    ["a search", "/search?term=x", ["Page A", "Page B", "Page C"]],
    ["a shelf", "/shelves/manuals", ["Page A", "Page B", "Page C"]],
    ["a book", "/books/my-own-book", ["Page A", "Page B", "Page C"]],
    ["a page, for its book", "/books/my-own-book/page/page-a", ["Page A", "Page B", "Page C"]],
    ["a chapter", "/books/my-own-book/chapter/bridges", ["Page B"]],
  ])("an address of %s names its pages", async (_, place, titles) => {
    await using server = await withPages(["Page A", "Page B", "Page C"]);
    const { pages } = await (await openServer("bookstack", server, { place })).list();
    expect(pages.map(({ title }) => title)).toEqual(titles);
  });

  test("a book that is not there is said", async () => {
    await using server = await withPages(["Page A"]);
    const pages = await openServer("bookstack", server, { place: "/books/%E0%A4%A" });
    expect(pages.list()).rejects.toThrow("has no book");
  });

  test("pages have the address that the wiki gives itself, if it is reached by another", async () => {
    await using server = await withPages(["Page A", "Page B"], { url: "https://wiki.example.com/kb/" });
    server.put({ title: "Page A", words: "Words.", linksTo: "Page B" });
    const pages = await openServer("bookstack", server);
    expect((await pages.list()).pages[0]?.address).toBe(
      "https://wiki.example.com/kb/books/my-own-book/page/page-a",
    );
    expect(await readTitled(pages, "Page A")).toContain(
      "(https://wiki.example.com/kb/books/my-own-book/page/page-b#bkmrk-first)",
    );
  });

  test("a version that says nothing of itself is read where it is", async () => {
    await using server = await withPages(["Page A"], { version: "old" });
    const pages = await openServer("bookstack", server);
    expect(pages.program).toBe("BookStack");
    const [page] = (await pages.list()).pages;
    expect(page?.address).toBe(new URL("/books/my-own-book/page/page-a", server.address).href);
    expect(page?.changedAt).toBe("2026-01-01T00:01:00.000Z");
  });

  test("a page that nests without end is read as its words", async () => {
    const html = `${"<div>".repeat(10_000)}Deep words${"</div>".repeat(10_000)}`;
    await using server = await withPages(["Page A"], { html });
    expect(await readTitled(await openServer("bookstack", server), "Page A")).toContain("Deep words");
  });

  test("requests begin as far apart as the wiki asks", async () => {
    await using server = await withPages(["Page A"]);
    const waits: number[] = [];
    const pages = await openServer("bookstack", server, { onWait: (ms) => void waits.push(ms) });
    await pages.list();
    expect(new Set(waits)).toEqual(new Set([60_000 / 180]));
  });

  test("what its editor makes is written as Markdown", async () => {
    await using server = await withPages(["Page A"], {
      html: [
        '<h1 id="bkmrk-top">Top</h1>',
        '<p id="bkmrk-see">See <a href="#bkmrk-note">the note</a>, not <a href="https://example.com/x">this</a>.</p>',
        '<p id="bkmrk-note" class="callout warning">Mind the <strong>gap</strong>.</p>',
        '<pre id="bkmrk-code"><code class="language-bash">echo &quot;hi&quot;</code></pre>',
        '<ul id="bkmrk-list"><li class="task-list-item"><input type="checkbox" disabled checked> Done</li><li class="task-list-item"><input type="checkbox" disabled> Open</li></ul>',
        '<details id="bkmrk-more"><summary>More</summary><p>Inside.</p></details>',
      ].join("\n"),
    });
    const markdown = await readTitled(await openServer("bookstack", server), "Page A");
    expect(markdown).toContain("## Top {#bkmrk-top}");
    expect(markdown).toContain("[the note](#bkmrk-note)");
    expect(markdown).toMatch(/> \[!WARNING\]\n[\s\S]*> .*Mind the \*\*gap\*\*\./);
    expect(markdown).toContain('```bash\necho "hi"\n```');
    expect(markdown).toMatch(/- \[x\] Done\n- \[ \] Open/);
    expect(markdown).toContain("Inside.");
    expect(markdown).not.toContain("bkmrk-see");
  });

  test("code that stands in a page as an older editor showed it is code once, without its line numbers", async () => {
    const line = (number: number, text: string) =>
      `<div><div aria-hidden="true"><div class="CodeMirror-linenumber">${number}</div></div><pre class=" CodeMirror-line ">${text}</pre></div>`;
    await using server = await withPages(["Page A"], {
      html: [
        '<p id="bkmrk-example">Example:</p>',
        '<div class="CodeMirrorContainer" data-lang="JavaScript" contenteditable="false" id="bkmrk-code">',
        '<textarea style="display: none;">if (a &lt; b) {\n  run();\n}</textarea>',
        '<div class="CodeMirror cm-s-default"><div><textarea readonly></textarea></div><pre>xxxxxxxxxx</pre>',
        `${line(1, "if (a &lt; b) {")}${line(2, "  run();")}${line(3, "}")}</div></div>`,
        '<p id="bkmrk-after">After.</p>',
      ].join(""),
    });
    expect(await readTitled(await openServer("bookstack", server), "Page A")).toBe(
      "Example:\n\n```javascript\nif (a < b) {\n  run();\n}\n```\n\nAfter.",
    );
  });
});
