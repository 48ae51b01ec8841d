import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { placesOf, readNamed } from "../../../src/reading/connectors/confluence/names.ts";
import { fileHostsOf } from "../../../src/reading/connectors/connectors.ts";
import type { RecognizedDocs } from "../../../src/reading/source-reader.ts";
import { describeConnector } from "../../contract/connector.ts";
import { startFakeSite } from "../../helpers/fake-site.ts";
import { readConnected, readImages } from "./read-connected.ts";
import { shortOf, startConfluence } from "./servers/confluence.ts";
import { startConfluenceCloud } from "./servers/confluence-cloud.ts";
import type { AllDetails } from "./servers/confluence-pages.ts";

describeConnector("confluence", async () => startConfluence());
describeConnector("confluence", async () => startConfluenceCloud());

const EDITIONS = [
  ["Data Center", startConfluence],
  ["Data Center before 7.18", (details: AllDetails = {}) => startConfluence(details, { version: "7.4.1" })],
  ["Cloud", startConfluenceCloud],
] as const;

/** A menu in one line: `Home, Server(Install, Run)`; what is only a heading ends in a colon. */
const inOneLine = (menu: RecognizedDocs["menu"] = []): string =>
  menu
    .map(({ label, path, children }) => {
      const inside = children.length === 0 ? "" : `(${inOneLine(children)})`;
      return `${label}${path === undefined ? ":" : ""}${inside}`;
    })
    .join(", ");

const TREE: AllDetails = {
  Server: { parent: "Home" },
  "Run 10": { parent: "Server" },
  "Run 9": { parent: "Server" },
  Arranged: { parent: "Home", position: 1 },
  News: { kind: "blogpost" },
  "Older news": { kind: "blogpost" },
};

describe.each(EDITIONS)("confluence: %s", (_, start) => {
  const put = (server: ReturnType<typeof start>, ...titles: string[]) => {
    for (const title of titles) server.put({ title, words: `About ${title}.` });
  };

  test("the menu is the tree of the space as it was arranged or by title, and its blog, the newest first", async () => {
    await using server = start(TREE);
    put(server, "Home", "Older news", "News", "Run 10", "Run 9", "Server", "Arranged");
    const { error, docs, paths } = await readConnected("confluence", server);
    expect(error).toBeUndefined();
    expect(paths).toHaveLength(7);
    expect(inOneLine(docs?.menu)).toBe("Home, Arranged, Server(Run 9, Run 10), Blog:(News, Older news)");
  });

  test("what is restricted is for nobody, with all below it, and each is said", async () => {
    await using server = start({
      ...TREE,
      Server: { parent: "Home", isRestricted: true },
      News: { kind: "blogpost", isRestricted: true },
    });
    put(server, "Home", "Server", "Run 9", "Arranged", "News");
    const { docs, said, textOf } = await readConnected("confluence", server);
    expect(inOneLine(docs?.menu)).toBe("Home, Arranged");
    expect(textOf("Run 9")).toBe("");
    const why = said
      .map((line) => line.replace(/^\S+ /, "").slice(0, 30))
      .filter((line) => /restricted|below/.test(line));
    expect(why.toSorted()).toEqual([
      "is restricted to some people: ",
      "is restricted to some people: ",
      "stands below something that is",
    ]);
  });

  test("a page below something that cannot be seen is left out: nobody says whether that is restricted", async () => {
    await using server = start({ Server: { parent: "Gone" } });
    put(server, "Home", "Server");
    const { docs, said } = await readConnected("confluence", server);
    expect(inOneLine(docs?.menu)).toBe("Home");
    expect(said.join("\n")).toContain("is left out: it stands below something that cannot be seen");
  });

  test("a page of which nobody says who may read it is for nobody", async () => {
    await using server = start({ Server: { isUnindexed: true, isUnsaid: true } });
    put(server, "Home", "Server");
    const { paths, said } = await readConnected("confluence", server);
    expect(paths).toHaveLength(1);
    expect(said.join("\n")).toContain("is left out: the Confluence does not say who may read it");
  });

  test("labels are tags; a new label, and another version of an image, are changes", async () => {
    const details: AllDetails = { Server: { labels: ["ops", "how-to"], uploads: 1 } };
    await using server = start(details);
    put(server, "Home", "Server");
    const first = await readConnected("confluence", server);
    expect(first.textOf("Server")).toContain('"tags":["ops","how-to"]');
    details["Server"] = { labels: ["ops"], uploads: 1 };
    const second = await readConnected("confluence", server, { before: first });
    expect(Object.keys(second.texts)).toHaveLength(1);
    expect(second.textOf("Server")).toContain('"tags":["ops"]');
    details["Server"] = { labels: ["ops"], uploads: 2 };
    const third = await readConnected("confluence", server, { before: second });
    expect(Object.keys(third.texts)).toHaveLength(1);
    const fourth = await readConnected("confluence", server, { before: third });
    expect(fourth.texts).toEqual({});
  });

  test("a list that was cut, of which too little may be read, removes nothing", async () => {
    const titles = ["Page A", "Page B", "Page C", "Page D", "Page E"];
    await using server = start(Object.fromEntries(titles.map((title) => [title, { isRestricted: true }])));
    put(server, ...titles);
    const { error } = await readConnected("confluence", server, { pagesMax: 2 });
    expect(error).toMatchObject({ code: "too_large" });
  });

  test("an address of a page that is none of its Confluence's is not taken over", async () => {
    await using server = start({
      Server: { address: "//evil.example.com/display/DOC/Server" },
      Home: { address: "https://evil.example.com/" },
    });
    put(server, "Home", "Server");
    const { memory } = await readConnected("confluence", server);
    expect(
      Object.keys(memory).filter((location) => !location.startsWith(new URL(server.address).origin)),
    ).toEqual([]);
  });

  test("HTML that lies in itself 10,000 deep is read, or said, and ends", async () => {
    await using server = start({
      Deep: { html: `${"<div>".repeat(10_000)}Words.${"</div>".repeat(10_000)}` },
    });
    put(server, "Home", "Deep");
    const { error, textOf } = await readConnected("confluence", server);
    expect(error).toBeUndefined();
    expect(textOf("Home")).toContain("About Home.");
  });
});

describe("confluence: what a source names", () => {
  test.each([
    ["a page by its title", "/confluence/display/DOC/Server"],
    ["a page by its title, in another case and with a plus", "/confluence/display/doc/server"],
    ["a page by its id", "/confluence/pages/viewpage.action?pageId=2"],
    ["a page by a short address", `/confluence/x/${shortOf(2)}`],
    ["a page as newer versions name it", "/confluence/spaces/DOC/pages/2/Server"],
    ["a page by the list of its files", "/confluence/pages/viewpageattachments.action?pageId=2"],
    ["a page by its space and title", "/confluence/pages/viewpage.action?spaceKey=DOC&title=Server"],
  ])("%s is that page with all below it", async (_, place) => {
    await using server = startConfluence(TREE);
    for (const title of ["Home", "Server", "Run 9", "Arranged", "News"])
      server.put({ title, words: "Words." });
    const { error, docs, said } = await readConnected("confluence", server, { place });
    expect(error).toBeUndefined();
    expect(inOneLine(docs?.menu)).toBe("Server, Run 9");
    expect(said).toEqual([]);
  });

  test.each([
    "/confluence/display/DOC",
    "/confluence/spaces/DOC/overview",
    "/confluence/spaces/viewspace.action?key=DOC",
    "/confluence/collector/pages.action?key=DOC",
  ])("%s is the space", async (place) => {
    await using server = startConfluence(TREE);
    for (const title of ["Home", "Server"]) server.put({ title, words: "Words." });
    const { docs, said } = await readConnected("confluence", server, { place });
    expect(inOneLine(docs?.menu)).toBe("Home, Server");
    expect(said).toEqual([]);
  });

  test.each(["/confluence/", "/confluence/dashboard.action", "/"])(
    "%s is the whole Confluence: spaces of single people, and archived ones, are said",
    async (place) => {
      await using server = startConfluence(TREE);
      for (const title of ["Home", "Server"]) server.put({ title, words: "Words." });
      const { docs, said } = await readConnected("confluence", server, { place });
      expect(docs?.generator).toBe("Confluence 8.5.4");
      expect(docs?.pages).toBe(2);
      expect(said).toEqual([
        "/confluence/display/OLD is an archived space, which is left out: name it as a source to have it",
        "/confluence/spacedirectory/view.action?selectedSpaceCategory=personal lists spaces of single people, which are left out: name one as a source to have it",
      ]);
    },
  );

  test("in the Cloud, a space, a page and the whole of it are named in the same way", async () => {
    await using server = startConfluenceCloud(TREE);
    for (const title of ["Home", "Server", "Run 9"]) server.put({ title, words: "Words." });
    const menuAt = async (place: string) =>
      inOneLine((await readConnected("confluence", server, { place })).docs?.menu);
    expect(await menuAt("/wiki/spaces/DOC")).toBe("Home, Server(Run 9)");
    expect(await menuAt("/wiki/spaces/DOC/pages/2/Server")).toBe("Server, Run 9");
    expect(await menuAt(`/wiki/x/${shortOf(2)}`)).toBe("Server, Run 9");
    expect(await menuAt("/wiki/home")).toBe("Home, Server(Run 9)");
    const { said } = await readConnected("confluence", server, { place: "/wiki" });
    expect(said.map((line) => line.slice(0, 60))).toEqual([
      "/wiki/spaces/OLD is an archived space, which is left out: na",
      "/wiki/spaces lists spaces of single people, which are left o",
      "/wiki/spaces/DOC may have whiteboards, databases and smart l",
    ]);
  });

  test.each([
    ["a space that is not there", "/confluence/display/NONE", "has no space NONE"],
    ["a page that is not there", "/confluence/display/DOC/None", "has no page None in DOC"],
    ["an id that is not there", "/confluence/pages/viewpage.action?pageId=77", "has no page 77"],
    ["a file", "/confluence/download/attachments/1/a.pdf", "names no space and no page"],
    ["another program", "/blog/", "No Confluence was found"],
    ["an address that is none of its pages'", "/confluence/pages/none", "names no space and no page"],
  ])("%s is said in words", async (_, place, words) => {
    await using server = startConfluence();
    server.put({ title: "Home", words: "Words." });
    const { error, paths } = await readConnected("confluence", server, { place });
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "not_found" });
    expect(String(error)).toContain(words);
    expect(paths).toEqual([]);
  });

  test("a Confluence that is reached by another name than people use is cited as they open it", async () => {
    await using server = startConfluence(
      {
        Guide: {
          html: '<p><a href="https://wiki.example.com/confluence/display/DOC/Home">theirs</a> <img src="https://wiki.example.com/files/picture.png" /></p>',
        },
      },
      { base: "https://wiki.example.com/confluence" },
    );
    server.put({ title: "Home", words: "Words." });
    server.put({ title: "Guide", words: "Words." });
    const { items, textOf } = await readConnected("confluence", server);
    expect(Object.values(items).map(({ location }) => location)).toEqual([
      "https://wiki.example.com/confluence/display/DOC/Home",
      "https://wiki.example.com/confluence/display/DOC/Guide",
    ]);
    expect(textOf("Guide")).toContain("[theirs](https://wiki.example.com/confluence/display/DOC/Home)");
    expect(await readImages("confluence", server)).toEqual([server.image]);
  });

  test("a wrong sign-in names what the variable has to hold", async () => {
    await using own = startConfluence();
    const { error } = await readConnected("confluence", own, { secret: "ada:wrong" });
    expect(error).toMatchObject({
      code: "forbidden",
      hint: expect.stringContaining("personal access token"),
    });
    expect(own.requests.at(-1)?.headers.get("authorization")).toBe(`Basic ${btoa("ada:wrong")}`);
  });

  test("a list by offset is over where its server names one part after the other with nothing new", async () => {
    await using server = startConfluence({}, { version: "7.4.1", endless: true });
    for (const title of ["Home", "Page A", "Page B", "Page C"]) server.put({ title, words: "Words." });
    const { error, paths } = await readConnected("confluence", server);
    expect([error, paths.length]).toEqual([undefined, 4]);
    expect(server.requests.length).toBeLessThan(25);
  });

  test("a list without an end ends in words", async () => {
    await using site = startFakeSite({
      "/rest/api/space": () => ({
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ results: [], _links: { next: "/rest/api/space?start=7&limit=1" } }),
      }),
    });
    await using server = startConfluence();
    const { error } = await readConnected("confluence", { ...server, address: `${site.url}/` });
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("without an end") });
  });
});

describe("confluence: pages", () => {
  /** What the body of a page becomes, beside a home page, the page "Guide" (2) and a blog post. */
  async function bodyOf(
    html: string,
    start: typeof startConfluence | typeof startConfluenceCloud = startConfluence,
  ) {
    await using server = start({
      Body: { html },
      News: { kind: "blogpost", address: "/display/DOC/2026/01/31/News" },
    });
    for (const title of ["Home", "Guide", "News", "Body"]) server.put({ title, words: "Words." });
    const { origin } = new URL(server.address);
    const run = await readConnected("confluence", server);
    const [, body = ""] = run.textOf("Body").split("\n---\n");
    return body.replaceAll(origin, "https://wiki.example.com").trim();
  }

  test("links of all forms lead to where the page is listed", async () => {
    const link = (href: string, words: string, more = "") => `<a href="${href}"${more}>${words}</a> `;
    const body = await bodyOf(
      `<h2 id="Body-Onemore">One more</h2><p>${[
        link("/confluence/display/DOC/Guide", "title"),
        link("/confluence/display/doc/guide?src=search#Guide-First", "place"),
        link("/confluence/pages/viewpage.action?pageId=2#Guide-First", "id"),
        link("/confluence/pages/viewpage.action?spaceKey=DOC&amp;title=Guide", "query"),
        link(`/confluence/x/${shortOf(2)}`, "short"),
        link("/confluence/spaces/DOC/pages/2/An+old+title", "newer"),
        link("/confluence/pages/2", "bare"),
        link("/confluence/display/DOC/2026/01/31/News", "post"),
        link("/confluence/spaces/DOC/overview", "space"),
        link("/confluence/display/DOC/Body#Body-Onemore", "here"),
        link(
          "/confluence/display/DOC/Renamed",
          "linked",
          ' data-linked-resource-id="2" data-linked-resource-type="page"',
        ),
        link("/confluence/display/OPS/Guide", "elsewhere"),
        link("/confluence/label/DOC/runbook", "label"),
        link("/confluence/pages/viewpageattachments.action?pageId=2", "files"),
        link("https://other.example.com/confluence/display/DOC/Guide", "other"),
        link(
          "/confluence/pages/createpage.action?spaceKey=DOC&amp;title=X",
          "unwritten",
          ' class="createlink"',
        ),
      ].join("")}</p>`,
    );
    const at = "https://wiki.example.com/confluence/display";
    expect(
      body
        .split("\n")
        .at(-1)
        ?.split(/ (?=\[|unwritten)/),
    ).toEqual([
      `[title](${at}/DOC/Guide)`,
      `[place](${at}/DOC/Guide#Guide-First)`,
      `[id](${at}/DOC/Guide#Guide-First)`,
      `[query](${at}/DOC/Guide)`,
      `[short](${at}/DOC/Guide)`,
      `[newer](${at}/DOC/Guide)`,
      `[bare](${at}/DOC/Guide)`,
      `[post](${at}/DOC/2026/01/31/News)`,
      `[space](${at}/DOC/Home)`,
      "[here](#Body-Onemore)",
      `[linked](${at}/DOC/Guide)`,
      `[elsewhere](${at}/OPS/Guide)`,
      "[label](https://wiki.example.com/confluence/label/DOC/runbook)",
      "[files](https://wiki.example.com/confluence/pages/viewpageattachments.action?pageId=2)",
      "[other](https://other.example.com/confluence/display/DOC/Guide)",
      "unwritten",
    ]);
  });

  test("a link that is shown as what it leads to has the title of its page, if that is listed", async () => {
    const card = (href: string, words: string) =>
      `<a href="${href}" data-card-appearance="inline" rel="nofollow">${words}</a> `;
    const guide = "/wiki/spaces/DOC/pages/2/Guide";
    const body = await bodyOf(
      `<p>${[
        card(`${guide}#First`, `https://wiki.example.com${guide}#First`),
        card(guide, "words"),
        card("https://other.example.com/a", "https://other.example.com/a"),
      ].join("")}</p>`,
      startConfluenceCloud,
    );
    expect(body.split(/ (?=\[)/)).toEqual([
      `[Guide](https://wiki.example.com${guide}#First)`,
      `[words](https://wiki.example.com${guide})`,
      "[https://other.example.com/a](https://other.example.com/a)",
    ]);
  });

  test("of an issue that the browser would fetch, its key is shown", async () => {
    const issue = (more: string) =>
      `<span class="confluence-jim-macro jira-issue conf-macro output-block" data-jira-key="OPS-7"><a href="https://acme.example.com/browse/OPS-7" class="jira-issue-key"><span class="aui-icon aui-icon-wait issue-placeholder"> </span>OPS-7</a> - ${more}</span>`;
    const body = await bodyOf(
      `<p>See ${issue(
        '<span class="summary">Getting issue details...</span> <span class="aui-lozenge issue-placeholder">STATUS</span>',
      )}.</p><p>See ${issue('<span class="summary">It is slow</span>').replace(/<span class="aui-icon.*?<\/span>/, "")}.</p>`,
    );
    const key = "[OPS-7](https://acme.example.com/browse/OPS-7)";
    expect(body).toBe(`See ${key}.\n\nSee ${key} - It is slow.`);
  });

  test("code has its language in whichever way a version renders it, and images are the whole files", async () => {
    const panel = (code: string) =>
      `<div class="code panel pdl" style="border-width: 1px;"><div class="codeContent panelContent pdl">${code}</div></div>`;
    const body = await bodyOf(
      panel(
        '<pre class="theme: Confluence; brush: sql; gutter: false" style="font-size:12px;">SELECT 1;</pre>',
      ) +
        panel(
          '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">ls &lt;a&gt;</pre>',
        ) +
        '<div class="confluence-information-macro confluence-information-macro-warning"><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Hot.</p></div></div>' +
        '<p><img class="confluence-embedded-image confluence-thumbnail" width="300" src="/confluence/download/thumbnails/4/plan.png?version=1" data-image-src="/confluence/download/attachments/4/plan.png?version=1&amp;api=v2" /></p>' +
        '<p>Done <img class="emoticon emoticon-tick" data-emoticon-name="tick" src="/confluence/s/tick.png" alt="(tick)" /></p>',
    );
    expect(body).toBe(`\`\`\`sql
SELECT 1;
\`\`\`

\`\`\`bash
ls <a>
\`\`\`

> [!WARNING]
>
> Hot.

![](https://wiki.example.com/confluence/download/attachments/4/plan.png?version=1&api=v2#width=300)

Done ✓`);
  });

  test("in the Cloud headings have the ids that its pages show, and old links lead to them", async () => {
    const body = await bodyOf(
      '<h1 id="Body-Firststeps">First steps</h1><h2 id="Body-Run.">Run</h2><h2 id="Body-Run..1">Run</h2><h2 id="Body-Run.1">Run.1</h2>' +
        '<p><a href="#Body-Firststeps">old</a> <a href="#First-steps">new</a> <a href="#Run.1">second</a> ' +
        '<a href="/wiki/spaces/DOC/pages/2/Guide#First-steps">there</a></p>',
      startConfluenceCloud,
    );
    expect(body).toContain(
      "## First steps {#First-steps}\n\n### Run {#Run}\n\n### Run {#Run.1}\n\n### Run.1 {#Run.1.1}",
    );
    expect(body).toContain(
      "[old](#First-steps) [new](#First-steps) [second](#Run.1) " +
        "[there](https://wiki.example.com/wiki/spaces/DOC/pages/2/Guide#First-steps)",
    );
  });

  test("a page without words lists what is below it; a macro that Confluence could not show is said", async () => {
    await using server = startConfluence({
      Server: { html: '<div class="plugin_pagetree"></div>' },
      "Run 9": {
        parent: "Server",
        html: '<p>Words.</p><div class="conf-macro-error">Error rendering macro</div>',
      },
    });
    for (const title of ["Home", "Server", "Run 9"]) server.put({ title, words: "Words." });
    const { items, textOf } = await readConnected("confluence", server);
    expect(textOf("Server")).toContain(
      `- [Run 9](${new URL(server.address).origin}/confluence/display/DOC/Run+9)`,
    );
    expect(items["confluence/display/DOC/Run+9"]?.faults).toEqual([
      "1 of its macros could not be shown by Confluence itself",
    ]);
  });

  test("macros of apps, which Confluence leaves empty for exports, are said", async () => {
    const app = (inside: string) =>
      `<div class="ap-container conf-macro output-block" data-macro-name="table-filter" data-hasbody="true">${inside}</div>`;
    const html = [
      "<p>Words.</p>",
      app('<div class="ap-content"> </div><script class="ap-iframe-body-script">var data = {};</script>'),
      '<table class="aui metadata-summary-macro null" data-cql="label = x"></table>',
      app("<p>Shown.</p>"),
      app('<img src="/confluence/download/attachments/1/a.png">'),
    ].join("");
    await using server = startConfluence({ Home: { html } });
    server.put({ title: "Home", words: "Words." });
    const { items, textOf } = await readConnected("confluence", server);
    expect(textOf("Home")).toContain("Words.\n\nShown.");
    expect(items["confluence/display/DOC/Home"]?.faults).toEqual([
      "2 of its macros could not be shown by Confluence itself",
    ]);
  });
});

describe("confluence: the Cloud's own", () => {
  test("folders are headings of the menu; a restricted folder hides what is in it, and empty ones are not there", async () => {
    const details: AllDetails = {
      Team: { kind: "folder" },
      Inner: { kind: "folder", parent: "Team" },
      Plans: { kind: "folder" },
      Empty: { kind: "folder" },
      Install: { parent: "Inner" },
      Secret: { parent: "Plans" },
    };
    await using server = startConfluenceCloud(details);
    for (const title of Object.keys(details)) server.put({ title, words: "Words." });
    expect(inOneLine((await readConnected("confluence", server)).docs?.menu)).toBe(
      "Plans:(Secret), Team:(Inner:(Install))",
    );
    details["Plans"] = { kind: "folder", isRestricted: true };
    const { docs, paths } = await readConnected("confluence", server);
    expect(inOneLine(docs?.menu)).toBe("Team:(Inner:(Install))");
    expect(paths).toHaveLength(1);
  });

  test("a page below a smart link is listed, and the link has its address for a title if it has no other", async () => {
    const details: AllDetails = { Roadmap: { kind: "embed" }, Install: { parent: "Roadmap" } };
    await using server = startConfluenceCloud(details);
    for (const title of ["Home", ...Object.keys(details)]) server.put({ title, words: "Words." });
    const { error, docs } = await readConnected("confluence", server);
    expect(error).toBeUndefined();
    expect(inOneLine(docs?.menu)).toBe("Home, https://roadmap.example.com/:(Install)");
  });

  test("a space that was renamed is found by its new name, and links by either lead to its pages", async () => {
    const links = [
      "/spaces/HANDBOOK",
      "/spaces/DOC/overview",
      "/display/HANDBOOK/Server",
      "/display/DOC/Server",
    ];
    const html = links.map((path) => `<p><a href="/wiki${path}">${path}</a></p>`).join("");
    await using server = startConfluenceCloud({ Links: { html } }, { alias: "HANDBOOK" });
    for (const title of ["Home", "Server", "Links"]) server.put({ title, words: "Words." });
    const place = "/wiki/spaces/handbook/overview";
    const { error, docs, textOf } = await readConnected("confluence", server, { place });
    expect(error).toBeUndefined();
    expect(inOneLine(docs?.menu)).toBe("Home, Links, Server");
    const { origin } = new URL(server.address);
    expect([...textOf("Links").matchAll(/\]\((.*?)\)/g)].map(([, to]) => to?.replace(origin, ""))).toEqual([
      "/wiki/spaces/HANDBOOK/overview",
      "/wiki/spaces/HANDBOOK/overview",
      "/wiki/spaces/HANDBOOK/pages/2/Server",
      "/wiki/spaces/HANDBOOK/pages/2/Server",
    ]);
  });

  test("a page that the search does not know yet is asked for its restrictions by itself", async () => {
    await using server = startConfluenceCloud({
      New: { isUnindexed: true },
      "New and restricted": { isUnindexed: true, isRestricted: true },
    });
    for (const title of ["New", "New and restricted"]) server.put({ title, words: "Words." });
    const { docs, said } = await readConnected("confluence", server);
    expect(inOneLine(docs?.menu)).toBe("New");
    expect(said.join("\n")).toContain("is restricted to some people");
  });

  test("archived pages are said, and not read", async () => {
    await using server = startConfluenceCloud({ Old: { isArchived: true } });
    for (const title of ["Home", "Old"]) server.put({ title, words: "Words." });
    const { paths, said } = await readConnected("confluence", server);
    expect(paths).toHaveLength(1);
    expect(said.at(-1)).toEndWith("is archived");
  });

  test("a file is fetched from where the Cloud keeps it, and nothing of the sign-in is sent there", async () => {
    await using server = startConfluenceCloud({
      Picture: { html: '<p><img src="/wiki/download/attachments/1/a.png" /></p>' },
    });
    await using files = startFakeSite({
      "/file/1/binary": { headers: { "content-type": "image/png" }, body: "bytes" },
    });
    await using wiki = startFakeSite({});
    server.put({ title: "Picture", words: "Words." });
    wiki.pages = new Proxy(wiki.pages, {
      get: (_, path) => async (request: Request) => {
        if (String(path).startsWith("/wiki/download/"))
          return { status: 302, headers: { location: `${files.url}/file/1/binary` } };
        const reply = await fetch(new URL(String(path), server.address), { headers: request.headers });
        const text = await reply.text();
        return { status: reply.status, body: text.replaceAll(new URL(server.address).origin, wiki.url) };
      },
    });
    const images = await readImages(
      "confluence",
      { ...server, address: `${wiki.url}/wiki/spaces/DOC` },
      { hosts: [files.host] },
    );
    expect(images.map((image) => new TextDecoder().decode(image))).toEqual(["bytes"]);
    expect(files.requests.map(({ headers }) => headers.get("authorization"))).toEqual([null]);
    expect(fileHostsOf("https://acme.atlassian.net/wiki/spaces/DOC")).toEqual(["api.media.atlassian.com"]);
    expect(fileHostsOf("https://confluence.acme.example/display/DOC")).toEqual([]);
  });
});

test.each([
  ["https://acme.atlassian.net/wiki/spaces/DOC/pages/123/Title", ["/wiki"], { space: "DOC", id: "123" }],
  ["https://acme.atlassian.net/wiki/spaces/DOC/pages/edit-v2/123", ["/wiki"], { space: "DOC", id: "123" }],
  [
    "https://acme.atlassian.net/wiki/spaces/DOC/blog/2026/01/31/123/Title",
    ["/wiki"],
    { space: "DOC", id: "123" },
  ],
  ["https://acme.atlassian.net/wiki/spaces/DOC/folder/123", ["/wiki"], { space: "DOC", id: "123" }],
  [
    "https://api.atlassian.com/ex/confluence/c1/wiki/spaces/DOC",
    ["/ex/confluence/c1/wiki"],
    { space: "DOC" },
  ],
  ["https://wiki.example.com/display/~ada/A+b%2Bc", [""], { space: "~ada", title: "A b+c" }],
  ["https://example.com/a/b/pages/viewpage.action?pageId=123", ["/a/b"], { id: "123" }],
  ["https://example.com/docs/", ["/docs"], {}],
])("confluence: %s is read as what it names", (address, places, named) => {
  const url = new URL(address);
  expect(placesOf(url)).toEqual(places);
  expect(JSON.parse(JSON.stringify(readNamed(url, places[0] ?? "")))).toEqual(named);
});
