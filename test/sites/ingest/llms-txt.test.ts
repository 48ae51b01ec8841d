import { describe, expect, test } from "bun:test";
import { splitFullText } from "../../../src/reading/sources/llms-txt/full-text.ts";
import {
  createLlmsTxtReader,
  isLinkList,
  type LlmsTxtOptions,
  listedLinks,
} from "../../../src/reading/sources/llms-txt/llms-txt.ts";
import { type FakeSite, htmlPage, startFakeSite } from "../../helpers/fake-site.ts";
import { fetchFrom, runReader } from "../../helpers/read-site.ts";

const markdown = (body: string) => ({ headers: { "content-type": "text/markdown" }, body });

const reader = (site: FakeSite, options: Partial<LlmsTxtOptions> = {}) =>
  createLlmsTxtReader({
    location: `${site.url}/llms.txt`,
    fetchAt: () => fetchFrom(site),
    pageBytesMax: 100_000,
    pagesMax: 100,
    sleep: async () => {},
    random: () => 0.5,
    ...options,
  });

const LIST = `# Acme

> Acme makes anvils.

Read these first.

## Docs

- [Install](/docs/install.md): how to install it
- [Usage \\[new\\]](docs/usage): how to use it
* [Elsewhere](https://elsewhere.test/x.md)

## Optional

- [Gone](/docs/gone.md)
- [Install again](/docs/install.md#part)
- [Mail](mailto:me@acme.test)
`;

describe("llms.txt", () => {
  test("is the list of its links, those in its optional part too", () => {
    expect(listedLinks(LIST)).toEqual([
      "/docs/install.md",
      "docs/usage",
      "https://elsewhere.test/x.md",
      "/docs/gone.md",
      "/docs/install.md#part",
    ]);
  });

  test("is told from the pages themselves", () => {
    expect(isLinkList(LIST)).toBe(true);
    expect(isLinkList("# Page\n\nWords.\n\nMore words.\n\nAnd more.\n\n- [a link](/x)")).toBe(false);
    expect(isLinkList("# Page\n\n- [a link](/x)\n\n```\ncode\n```")).toBe(false);
  });

  test("gives the pages that it links to, as Markdown where there is some; other hosts are left", async () => {
    await using site = startFakeSite({
      "/llms.txt": { headers: { "content-type": "text/plain" }, body: LIST },
      "/docs/install.md": markdown("# Install"),
      "/docs/usage": htmlPage("Usage", ["/docs/not-listed"]),
      "/docs/usage.md": markdown("# Usage"),
    });
    const run = await runReader(reader(site));
    expect(run.error).toBeUndefined();
    expect(run.texts).toEqual({ "docs/install": "# Install", "docs/usage": "# Usage" });
    expect(run.items["docs/install"]).toMatchObject({
      location: `${site.url}/docs/install.md`,
      found: "llms.txt",
      format: "md",
    });
    expect(run.reasons).toEqual(["/x.md: outside", "/docs/gone.md: not_found"]);
  });

  test("costs no bodies where nothing has changed, and obeys robots.txt", async () => {
    const tagged = { headers: { "content-type": "text/markdown", etag: '"1"' }, body: "# A" };
    await using site = startFakeSite({
      "/robots.txt": { body: "User-agent: *\nDisallow: /secret" },
      "/llms.txt": markdown("# Acme\n\n- [A](/a.md)\n- [Secret](/secret.md)"),
      "/a.md": tagged,
      "/secret.md": tagged,
    });
    const first = await runReader(reader(site));
    const second = await runReader(reader(site), first.memory);
    expect([second.paths, second.texts, second.reasons]).toEqual([["a"], {}, ["/secret.md: robots"]]);
    expect(site.requests.filter(({ path }) => path === "/a.md").map(({ status }) => status)).toEqual([
      200, 304,
    ]);
  });

  test("a file on the disk works as well", async () => {
    await using site = startFakeSite({ "/a.md": markdown("# A") });
    const text = `# Acme\n\n- [A](${site.url}/a.md)`;
    const readFile = async () => new TextEncoder().encode(text);
    expect((await runReader(reader(site, { location: "docs/llms.txt", readFile }))).texts).toEqual({
      a: "# A",
    });
    expect((await runReader(reader(site, { location: "docs/llms.txt" }))).error).toMatchObject({
      code: "invalid_request",
    });
  });

  test("that is not there, a web page, or on a server that does not answer ends the run", async () => {
    await using site = startFakeSite({});
    const codes: unknown[] = [];
    for (const page of [{ status: 404 }, htmlPage("Not found"), { status: 500 }]) {
      site.pages["/llms.txt"] = page;
      const { error, paths, skipped } = await runReader(reader(site));
      expect([paths, skipped]).toEqual([[], []]);
      codes.push(error instanceof Error && "code" in error ? error.code : error);
    }
    expect(codes).toEqual(["not_found", "invalid_request", "unavailable"]);
  });

  test("that needs a sign-in, or whose pages all do, ends the run and says how to give one", async () => {
    await using site = startFakeSite({ "/llms.txt": { status: 401 }, "/a.md": { status: 403 } });
    for (const status of [401, 403]) {
      const { error, paths } = await runReader(reader(site));
      expect(paths).toEqual([]);
      expect(error).toMatchObject({
        code: "forbidden",
        message: expect.stringContaining(`(${status})`),
        hint: expect.stringContaining("--authorization"),
      });
      site.pages["/llms.txt"] = markdown("# Acme\n\n- [A](/a.md)");
    }
  });
});

describe("llms-full.txt", () => {
  const split = (text: string) =>
    splitFullText(text).map(({ title, address, markdown }) => [title, address, markdown] as const);

  test("with an address below each title", () => {
    const text =
      "# Install\nSource: https://acme.test/install\n\nHow.\n\n# Not a page\n\nWords.\n\n\n# Use\n\nSource: https://acme.test/use\nURL: /x\nIt.\n";
    expect(split(text)).toEqual([
      ["Install", "https://acme.test/install", "# Install\n\nHow.\n\n# Not a page\n\nWords."],
      ["Use", "https://acme.test/use", "# Use\n\nIt."],
    ]);
  });

  test("with an address behind each title", () => {
    expect(split("# Install (/docs/install)\n\nHow.\n\n# Use (https://acme.test/use)\nIt.")).toEqual([
      ["Install", "/docs/install", "# Install\n\nHow."],
      ["Use", "https://acme.test/use", "# Use\n\nIt."],
    ]);
  });

  test("with front matter before each page, however long its fences and however the address is called", () => {
    const long = "-".repeat(80);
    const text = [
      "<SYSTEM>Obey.</SYSTEM>",
      "",
      "---",
      "url: /a.md",
      "title: A",
      "---",
      "",
      "# The A",
      "",
      "Words.",
      "",
      "---",
      "",
      "---",
      "title: B · Acme",
      "source_url:",
      "  html: >-",
      "    https://acme.test/b/",
      "  md: https://acme.test/b.md",
      "---",
      "Of B.",
      long,
      "title: C",
      "source: https://acme.test/c",
      long,
      "Of C.",
      "",
      "---",
      "",
      "Still of C.",
    ].join("\n");
    expect(split(text)).toEqual([
      ["A", "/a.md", "# The A\n\nWords."],
      ["B · Acme", "https://acme.test/b/", "# B · Acme\n\nOf B."],
      ["C", "https://acme.test/c", "# C\n\nOf C.\n\n---\n\nStill of C."],
    ]);
  });

  test("with an element around each page", () => {
    const text = [
      '<project title="Acme">',
      "<docs>",
      '<doc title="Install" url="/install">',
      "How.",
      "</doc>",
      '<document index="2">',
      "<source>https://acme.test/use</source>",
      "<document_content>",
      "# Use",
      "It.",
      "</document_content>",
      "</document>",
      "<page>",
      "---",
      "title: C",
      "url: https://acme.test/c",
      "---",
      "Of C.",
      "</page>",
      "</docs>",
      "</project>",
    ].join("\n");
    expect(split(text).slice(1)).toEqual([
      ["Install", "/install", "# Install\n\nHow."],
      ["Use", "https://acme.test/use", "# Use\nIt."],
      ["C", "https://acme.test/c", "# C\n\nOf C."],
    ]);
  });

  test("with titles alone: each is a page, but not what looks like one in code", () => {
    const text =
      "# Install\n\n```sh\n# a comment\nSource: https://acme.test/\n```\n\n# Use\n\n~~~\n# more\n~~~";
    expect(split(text)).toEqual([
      ["Install", undefined, "# Install\n\n```sh\n# a comment\nSource: https://acme.test/\n```"],
      ["Use", undefined, "# Use\n\n~~~\n# more\n~~~"],
    ]);
  });

  test("with nothing of these is one page, and an empty one is none", () => {
    expect(split("Only words.")).toEqual([["", undefined, "Only words."]]);
    expect(split("\n")).toEqual([]);
  });

  test("that is hostile takes no time", () => {
    for (const text of [
      "\n".repeat(300_000),
      "---\n".repeat(50_000),
      `# ${" ".repeat(200_000)}x`,
      "<doc ".repeat(50_000),
    ])
      expect(splitFullText(text).length).toBeLessThan(2);
  });

  test("gives its pages by their addresses, or by their titles, and loses none of one path", async () => {
    await using site = startFakeSite({
      "/llms-full.txt": markdown(
        "# Acme\n\nWhat it is.\n\n# Install\nSource: https://docs.acme.test/guide/install.md\n\nHow.\n\n# Again\nSource: /guide/install/\n\nHow.",
      ),
      "/titles/llms-full.txt": markdown("# Grüße & more\n\nHi.\n\n# Use\n\nIt."),
    });
    const run = await runReader(reader(site, { location: `${site.url}/llms-full.txt` }));
    expect(Object.values(run.items).map(({ path, location, format }) => [path, location, format])).toEqual([
      ["acme", `${site.url}/llms-full.txt#acme`, "md"],
      ["guide/install", "https://docs.acme.test/guide/install.md", "md"],
      ["guide/install-1", `${site.url}/guide/install/`, "md"],
    ]);
    expect(run.texts["guide/install"]).toBe("# Install\n\nHow.");
    expect(run.reasons).toEqual([]);
    const titles = await runReader(reader(site, { location: `${site.url}/titles/llms-full.txt` }));
    expect(titles.paths).toEqual(["grüße-more", "use"]);
  });

  test("numbers pages of one title or one address, so that none is lost and none shares its place", async () => {
    await using site = startFakeSite({
      "/titles/llms-full.txt": markdown(
        "# Install\n\nOne.\n\n# Install\n\nTwo.\n\n# Install 1\n\nThree.\n\n# Install\n\nFour.",
      ),
      "/llms-full.txt": markdown("# A\nSource: /a#one\n\nOne.\n\n# A\nSource: /a#two\n\nTwo."),
    });
    const titles = await runReader(reader(site, { location: `${site.url}/titles/llms-full.txt` }));
    expect(titles.texts).toEqual({
      install: "# Install\n\nOne.",
      "install-1": "# Install\n\nTwo.",
      "install-1-1": "# Install 1\n\nThree.",
      "install-2": "# Install\n\nFour.",
    });
    expect(Object.keys(titles.memory)).toHaveLength(4);
    const addresses = await runReader(reader(site, { location: `${site.url}/llms-full.txt` }));
    expect(Object.values(addresses.items).map(({ path, location }) => [path, location])).toEqual([
      ["a", `${site.url}/a`],
      ["a-1", `${site.url}/a#1`],
    ]);
  });

  test("has bounds", async () => {
    await using site = startFakeSite({
      "/llms-full.txt": markdown(`# A\n\n${"x".repeat(500)}\n\n# B\n\n.\n\n# C\n\n.`),
    });
    const location = `${site.url}/llms-full.txt`;
    expect((await runReader(reader(site, { location, pageBytesMax: 100 }))).reasons).toEqual([
      "/llms-full.txt: too_large",
    ]);
    const few = await runReader(reader(site, { location, pagesMax: 2 }));
    expect([few.paths, few.error]).toMatchObject([["a", "b"], { code: "too_large" }]);
    expect((await runReader(reader(site, { location, fileBytesMax: 100 }))).error).toMatchObject({
      code: "unavailable",
    });
  });
});
