import { describe, expect, test } from "bun:test";
import { describeConnector } from "../../contract/connector.ts";
import { openServer, readPage, readTitled } from "./open-server.ts";
import { DOKUWIKI_TOKEN, startDokuWiki } from "./servers/dokuwiki.ts";

describeConnector("dokuwiki", async () => startDokuWiki());

describe("connector: dokuwiki, its own ways", () => {
  function withPages(titles: readonly string[], manner: Parameters<typeof startDokuWiki>[0] = {}) {
    const server = startDokuWiki(manner);
    for (const title of titles) server.put({ title, words: `About ${title}.` });
    return server;
  }

  test.each([
    ["doku.php?id=", ":", "/wiki/doku.php?id=guide:install"],
    ["doku.php?id=", "/", "/wiki/doku.php?id=guide/install"],
    ["doku.php/", ":", "/wiki/doku.php/guide:install"],
    ["doku.php/", "/", "/wiki/doku.php/guide/install"],
    ["", ":", "/wiki/guide:install"],
    ["", "/", "/wiki/guide/install"],
  ])("pages have the addresses that the wiki writes: %s with %s", async (before, separator, address) => {
    await using server = withPages(["Start", "Guide  Install"], { form: { before, separator } });
    server.put({ title: "Start", words: "See", linksTo: "Guide  Install" });
    const opened = await openServer("dokuwiki", server, { place: address });
    const { pages } = await opened.list();
    expect(pages.map((page) => page.address)).toEqual([new URL(address, server.address).href]);
    const all = await openServer("dokuwiki", server, { place: "/wiki/" });
    expect((await all.list()).pages.map((page) => page.address)).toEqual([
      new URL(address, server.address).href,
      new URL("/wiki/", server.address).href,
    ]);
    expect(await readTitled(all, "start")).toContain(`(${new URL(address, server.address).href}#server)`);
  });

  test.each([
    ["doku.php", ["guide", "guide:install", "guide:server:start", "guidebook", "start"]],
    ["doku.php?id=guide", ["guide", "guide:install", "guide:server:start"]],
    ["doku.php?id=guide:server:start&do=edit", ["guide:server:start"]],
    ["doku.php?id=guide:", ["guide", "guide:install", "guide:server:start"]],
  ])("the address %s names its pages", async (place, ids) => {
    await using server = withPages(["Start", "Guide", "Guide  Install", "Guide  Server  Start", "Guidebook"]);
    const { pages } = await (await openServer("dokuwiki", server, { place: `/wiki/${place}` })).list();
    expect(pages.map(({ id }) => id)).toEqual(ids);
  });

  test("the menu is the tree of namespaces, and their first pages are its entries", async () => {
    await using server = withPages(["Start", "Guide  Install", "Ops  Start", "Ops  Backup"]);
    const { menu } = await (await openServer("dokuwiki", server)).list();
    const outline = JSON.stringify(menu, (key, value) => (key === "address" ? undefined : value));
    const entry = (label: string, children: unknown[] = []) => ({ label, children });
    expect(JSON.parse(outline)).toEqual([
      entry("start"),
      entry("guide", [entry("install")]),
      entry("ops", [entry("backup")]),
    ]);
    expect(menu[2]?.address).toEndWith("ops:start");
  });

  test("what belongs to the wiki itself is left out, and said", async () => {
    await using server = withPages(["Start", "Sidebar", "Wiki  Syntax"]);
    const { pages, leftOut } = await (await openServer("dokuwiki", server)).list();
    expect(pages.map(({ id }) => id)).toEqual(["start"]);
    expect(leftOut.map(({ detail }) => detail)).toEqual([
      "is a part of all pages",
      "belongs to DokuWiki itself",
    ]);
  });

  test("a token is sent as one", async () => {
    await using server = withPages(["Start"]);
    const opened = await openServer("dokuwiki", { address: server.address, secret: DOKUWIKI_TOKEN });
    expect(opened.program).toBe('DokuWiki 2025-05-14b "Librarian"');
  });

  test("a wrong password is refused where guests may read, too", async () => {
    await using server = withPages(["Start"], { isOpen: true });
    const opened = openServer("dokuwiki", { address: server.address, secret: "docent:wrong" });
    expect(opened).rejects.toMatchObject({ code: "forbidden", hint: expect.stringContaining("remoteuser") });
  });

  test("a wiki that answers no questions is said", async () => {
    await using server = withPages(["Start"], { isOff: true });
    expect(openServer("dokuwiki", server)).rejects.toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("“remote”"),
    });
  });

  test("what it renders is written as Markdown", async () => {
    const body = [
      '<h1 class="sectionedit1" id="install_guide">Install guide</h1>\n<div class="level1">\n<p>\nWords<sup><a href="#fn__1" id="fnt__1" class="fn_top">1)</a></sup> <a href="/wiki/doku.php?id=nowhere" class="wikilink2" data-wiki-id="nowhere">nowhere</a>\n</p>\n</div>',
      '<pre class="code php"><span class="kw2">&lt;?php</span> <span class="kw1">echo</span> 1;</pre>',
      '<dl class="file">\n<dt><a href="/wiki/doku.php?do=export_code&amp;id=x" class="mediafile mf_sh">run.sh</a></dt>\n<dd><pre class="code file bash">make</pre>\n</dd></dl>',
      '<div class="footnotes">\n<div class="fn"><sup><a href="#fnt__1" id="fn__1" class="fn_bot">1)</a></sup> \n<div class="content">A note.</div></div>\n</div>',
    ].join("\n");
    await using server = withPages(["Start"], { body });
    const pages = await openServer("dokuwiki", server);
    const [page] = (await pages.list()).pages;
    if (page === undefined) throw new Error("No page");
    const { data, markdown } = await readPage(pages, page);
    expect(data).toEqual({ title: "Install guide" });
    expect(markdown).toContain("## Install guide {#install_guide}");
    expect(markdown).toContain("Words[1] nowhere");
    expect(markdown).toContain("```php\n<?php echo 1;\n```");
    expect(markdown).toContain("`run.sh`\n\n```bash\nmake\n```");
    expect(markdown).toMatch(/\[1\]\s+A note\./);
  });
});
