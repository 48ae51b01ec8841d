import { describe, expect, test } from "bun:test";
import { describeConnector } from "../../contract/connector.ts";
import { openServer, readPage, readTitled } from "./open-server.ts";
import { startWikiJs } from "./servers/wikijs.ts";

describeConnector("wikijs", async () => startWikiJs());

describe("connector: wikijs, its own ways", () => {
  function withPages(titles: readonly string[], manner: Parameters<typeof startWikiJs>[0] = {}) {
    const server = startWikiJs(manner);
    for (const title of titles) server.put({ title, words: `About ${title}.` });
    return server;
  }
  const pathsAt = async (server: ReturnType<typeof startWikiJs>, place?: string) => {
    const pages = await openServer("wikijs", server, place === undefined ? {} : { place });
    return (await pages.list()).pages.map(({ address }) => new URL(address).pathname);
  };

  test("pages that are private or not published are left out, and said", async () => {
    await using server = withPages(["Home", "Draft", "Private plan"]);
    const { pages, leftOut } = await (await openServer("wikijs", server)).list();
    expect(pages.map(({ address }) => new URL(address).pathname)).toEqual(["/"]);
    expect(leftOut.map(({ address, detail }) => `${new URL(address).pathname} ${detail}`)).toEqual([
      "/draft is not published",
      "/private-plan is private",
    ]);
  });

  test("addresses name the language where the wiki's do, and pages say theirs", async () => {
    await using plain = withPages(["Home", "Seite"]);
    expect(await pathsAt(plain)).toEqual(["/", "/de/seite"]);
    await using named = withPages(["Home", "Seite"], { namespacing: true });
    expect(await pathsAt(named)).toEqual(["/en/home", "/de/seite"]);
    const pages = await openServer("wikijs", named);
    const [, german] = (await pages.list()).pages;
    if (german === undefined) throw new Error("No page");
    expect((await readPage(pages, german)).data).toEqual({ tags: ["guide"], language: "de" });
  });

  test("an address names a language, or a page with those below it, as edited too", async () => {
    await using server = withPages(["Home", "Guides", "Guides  Install", "Guidesbook", "Seite"]);
    expect(await pathsAt(server, "/de")).toEqual(["/de/seite"]);
    expect(await pathsAt(server, "/guides")).toEqual(["/guides", "/guides/install"]);
    expect(await pathsAt(server, "/e/en/guides/install")).toEqual(["/guides/install"]);
  });

  test("the menu has what stands beside the pages, and below it the tree of their paths", async () => {
    await using server = withPages(["Home", "Guides  Install"]);
    const { menu } = await (await openServer("wikijs", server)).list();
    const at = (path: string) => new URL(path, server.address).href;
    expect(menu).toEqual([
      { label: "Start", address: at("/"), children: [] },
      {
        label: "guides",
        address: undefined,
        children: [{ label: "Guides  Install", address: at("/guides/install"), children: [] }],
      },
    ]);
  });

  test("a key that is none is refused where guests may read, too", async () => {
    await using server = withPages(["Home"], { isOpen: true });
    const opened = openServer("wikijs", { address: server.address, secret: "none" });
    expect(opened).rejects.toMatchObject({ code: "forbidden", hint: expect.stringContaining("read:pages") });
  });

  test("a key that was revoked is answered as an error, and said", async () => {
    await using server = withPages(["Home"], { refuses: "API Key is invalid or was revoked." });
    expect(openServer("wikijs", server)).rejects.toMatchObject({
      hint: expect.stringContaining("revoked"),
    });
  });

  test("pages have the address that the wiki gives itself", async () => {
    await using server = withPages(["Home"], { host: "https://wiki.example.com" });
    const pages = await openServer("wikijs", server);
    expect((await pages.list()).pages[0]?.address).toBe("https://wiki.example.com/");
    expect(await readTitled(pages, "Home")).toContain("About Home.");
  });

  test("what its editors make is written as Markdown", async () => {
    const body = [
      '<blockquote class="is-danger">\n<p>Mind the gap.</p>\n</blockquote>',
      '<pre class="prismjs line-numbers" v-pre="true"><code class="language-js">a &lt; b\n</code></pre>',
      '<ul class="contains-task-list">\n<li class="task-list-item"><input class="task-list-item-checkbox" checked="" disabled="" type="checkbox"> Done</li>\n</ul>',
      '<tabset><template v-slot:tabs=""><li>Linux</li><li>Windows</li></template><template v-slot:content=""><div class="tabset-panel"><p>Run make.</p></div><div class="tabset-panel"><p>Run nmake.</p></div></template></tabset>',
      '<p>Note<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup> <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>x^2</math></span><span class="katex-html" aria-hidden="true">x2</span></span> <img class="emoji" alt="😄" src="/_assets/svg/twemoji/1f604.svg"></p>',
      '<p><a href="/nowhere" class="is-internal-link is-invalid-page">nowhere</a> <a href="https://example.com/" class="is-external-link">else</a></p>',
    ].join("\n");
    await using server = withPages(["Home"], { body });
    const markdown = await readTitled(await openServer("wikijs", server), "Home");
    expect(markdown).toContain("> [!CAUTION]\n>\n> Mind the gap.");
    expect(markdown).toContain("```js\na < b\n```");
    expect(markdown).toContain("- [x] Done");
    expect(markdown).toContain("**Linux**\n\nRun make.\n\n**Windows**\n\nRun nmake.");
    expect(markdown).toContain("Note[1] $`x^2`$ 😄");
    expect(markdown).toContain("nowhere [else](https://example.com/)");
  });
});
