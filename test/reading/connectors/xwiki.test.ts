import { describe, expect, test } from "bun:test";
import type { ListedPage } from "../../../src/reading/connectors/connectors.ts";
import { describeConnector } from "../../contract/connector.ts";
import { openServer, readTitled } from "./open-server.ts";
import { startXWiki } from "./servers/xwiki.ts";

describeConnector("xwiki", async () => startXWiki());

describe("connector: xwiki, its own ways", () => {
  function withPages(titles: readonly string[], manner: Parameters<typeof startXWiki>[0] = {}) {
    const server = startXWiki(manner);
    for (const title of titles) server.put({ title, words: `About ${title}.` });
    return server;
  }
  const listAt = async (server: ReturnType<typeof startXWiki>, place?: string) =>
    (await openServer("xwiki", server, place === undefined ? {} : { place })).list();
  const titlesAt = async (server: ReturnType<typeof startXWiki>, place?: string) =>
    (await listAt(server, place)).pages.map(({ title }) => title);

  test("pages have the addresses of their spaces, and translations those of their language", async () => {
    await using server = withPages(["Main", "Notes!", "Guide  v1.2 & more", "Guide", "Guide (pt_BR)"]);
    const pages = await openServer("xwiki", server);
    expect(pages.program).toBe("XWiki 16.10.5");
    const listing = await pages.list();
    expect(listing.pages.map(({ address }) => address.slice(address.indexOf("/view/")))).toEqual([
      "/view/Main/",
      "/view/Main/Notes",
      "/view/Guide/v1.2%20%26%20more/",
      "/view/Guide/",
      "/view/Guide/?language=pt_BR",
    ]);
    const translation = listing.pages.at(-1);
    if (translation === undefined) throw new Error("No page");
    expect(await pages.read(translation)).toMatchObject({
      data: { language: "pt-BR" },
      markdown: expect.stringContaining("About Guide (pt_BR)."),
    });
  });

  test("a translation has the title, the time and the version of its own, not those of its page", async () => {
    await using server = withPages(["Main", "Guide", "Guide (fr)"]);
    const [, guide, translation] = (await listAt(server)).pages;
    expect(translation?.title).toBe("Guide (fr)");
    server.put({ title: "Guide (fr)", words: "Autrement." });
    const [, sameGuide, changed] = (await listAt(server)).pages;
    expect(sameGuide).toEqual(guide as ListedPage);
    expect(changed?.revision).not.toBe(translation?.revision);
    expect(changed?.changedAt).not.toBe(translation?.changedAt);
  });

  test("an address names a page with those below it, and that of the first page all", async () => {
    await using server = withPages(["Main", "Guide", "Guide  Install", "Guidebook"]);
    expect(await titlesAt(server)).toEqual(["Main", "Guide", "Guide  Install", "Guidebook"]);
    expect(await titlesAt(server, "/xwiki/bin/view/Guide")).toEqual(["Guide", "Guide  Install"]);
    expect(await titlesAt(server, "/xwiki/bin/view/Guide/Install/WebHome")).toEqual(["Guide  Install"]);
    expect(await titlesAt(server, "/")).toHaveLength(4);
  });

  test("what has rights to be viewed is left out with all that lies below it, and said", async () => {
    await using server = withPages(["Main", "Notes!", "Plans", "Plans  2026", "Open", "XWiki  Admin"], {
      rights: [
        { space: "Plans", page: "WebPreferences", levels: "view,edit" },
        { space: "Main", page: "Notes", levels: "view" },
        { space: "Open", page: "WebHome", levels: "edit" },
        { space: "XWiki", page: "XWikiPreferences", levels: "view" },
      ],
    });
    const { pages, leftOut } = await listAt(server);
    expect(pages.map(({ title }) => title)).toEqual(["Main", "Open"]);
    expect(
      leftOut.filter(({ detail }) => detail.startsWith("has rights")).map(({ address }) => address),
    ).toEqual(
      ["Main/Notes", "Plans/", "Plans/2026/"].map(
        (path) => new URL(`/xwiki/bin/view/${path}`, server.address).href,
      ),
    );
    expect(leftOut.map(({ detail }) => detail).join()).toContain("members and settings");
  });

  test("of a wiki that does not tell of rights, no page is read", async () => {
    await using server = withPages(["Main"], { hidesRights: true });
    await expect(listAt(server)).rejects.toThrow("does not say which of its pages have rights of their own.");
  });

  test("pages are found behind many that nobody may view", async () => {
    await using server = withPages(["Main", "Guide"], { unseen: 7 });
    expect(await titlesAt(server)).toEqual(["Main", "Guide"]);
  });

  test("the menu is the tree of spaces", async () => {
    await using server = withPages(["Main", "Notes!", "Guide  Install", "Guide (fr)"]);
    const { menu } = await listAt(server);
    const outline = JSON.stringify(menu, (key, value) => (key === "address" ? undefined : value));
    const entry = (label: string, children: unknown[] = []) => ({ label, children });
    expect(JSON.parse(outline)).toEqual([
      entry("Guide", [entry("Guide  Install")]),
      entry("Main", [entry("Notes!")]),
    ]);
  });

  test("pages have the address that the wiki gives itself", async () => {
    await using server = withPages(["Main"], { view: "https://wiki.example.com/xwiki/bin/view/" });
    const pages = await openServer("xwiki", server);
    expect((await pages.list()).pages[0]?.address).toBe("https://wiki.example.com/xwiki/bin/view/Main/");
    expect(await readTitled(pages, "Main")).toContain("About Main.");
  });

  test("what XWiki writes in the place of a macro that failed is left out, and said", async () => {
    const body = [
      '<p>Before <span class="xwikirenderingerror">Unknown macro: chart. Click on this message for details.</span>',
      '<span class="xwikirenderingerrordescription hidden"><tt>The [chart] macro is not in the list.</tt></span> after.</p>',
      '<div class="xwikirenderingerror">Failed to execute the [velocity] macro. Click on this message for details.</div>',
      '<div class="xwikirenderingerrordescription hidden"><pre>java.lang.Exception</pre></div>',
    ].join("");
    await using server = withPages(["Main"], { body });
    const pages = await openServer("xwiki", server);
    const [page] = (await pages.list()).pages;
    expect(page === undefined ? undefined : await pages.read(page)).toEqual({
      data: {},
      markdown: "Before after.",
      faults: ["2 of its macros could not be shown by XWiki itself"],
    });
  });

  test("what it renders is written as Markdown", async () => {
    const body = [
      '<div id="xwikicontent"><div class="wikitoc"><ul><li><a href="#HFirst">First</a></li></ul></div>',
      '<h1 id="HFirst" class="wikigeneratedid"><span>First</span></h1>',
      '<div class="box warningmessage"><span class="icon-block"><img src="/x.png" alt="Icon"/></span><p>Mind the gap.</p></div>',
      '<div class="box"><div class="code"><span style="color:#00f">make</span>&nbsp;all<br/>make&nbsp;test</div></div>',
      '<p><span class="wikicreatelink"><a href="/xwiki/bin/create/No/WebHome?parent=x">nowhere</a></span> <span class="wikilink"><a href="/xwiki/bin/view/Guide">guide</a></span></p></div>',
    ].join("\n");
    await using server = withPages(["Main", "Guide"], { body });
    const markdown = await readTitled(await openServer("xwiki", server), "Main");
    expect(markdown).toContain("## First {#HFirst}");
    expect(markdown).not.toContain("](#HFirst)");
    expect(markdown).toContain("> [!WARNING]\n>\n> Mind the gap.");
    expect(markdown).toContain("```\nmake all\nmake test\n```");
    expect(markdown).toContain(`nowhere [guide](${new URL("/xwiki/bin/view/Guide/", server.address).href})`);
  });
});
