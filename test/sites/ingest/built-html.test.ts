import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createOwnPageReading } from "../../../src/reading/page-reading/page-reading.ts";
import { isSkipped, type SourceItem } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** A page as a run would read it. */
async function pageOf(item: SourceItem) {
  const source = new TextDecoder().decode(await item.read());
  const { format, around } = item;
  const how = { format, fallbackTitle: "", anchors: "github", keepsImages: false } as const;
  const read = await createOwnPageReading().read({ source, ...how, around: around?.() });
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read;
}

async function listed(files: Record<string, string>) {
  using folder = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(join(folder.path, name), content);
  }
  const pages: string[] = [];
  const skipped: Record<string, string> = {};
  let redirects: unknown;
  const context = {
    ...listContext(),
    onRecognized: (docs: { redirects?: unknown }) => (redirects = docs.redirects),
  };
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 100_000 });
  for await (const item of reader.list(context))
    if (isSkipped(item)) skipped[item.location] = item.detail;
    else pages.push(item.path);
  return { pages: pages.sort(), skipped, redirects };
}

const page = "<!doctype html><title>Page</title><h1>Page</h1><p>Words.</p>";

test.each([
  [
    "javadoc",
    "api/element-list",
    ["api/index.html", "api/a/Thing.html", "api/a/package-summary.html", "api/constant-values.html"],
    [
      "api/a/class-use/Thing.html",
      "api/src-html/a/Thing.html",
      "api/allclasses-index.html",
      "api/index-files/index-1.html",
      "api/help-doc.html",
    ],
  ],
  [
    "Doxygen",
    "doxygen.css",
    ["index.html", "classThing.html", "group__one.html", "d0/d1/structA.html"],
    [
      "search/all_0.html",
      "a_8h_source.html",
      "d0/d1/classThing-members.html",
      "functions_vars.html",
      "dir_0123456789abcdef0123456789abcdef.html",
    ],
  ],
  [
    "Sphinx",
    "html/objects.inv",
    ["html/index.html", "html/guide/search.html"],
    ["html/genindex-A.html", "html/search.html", "html/py-modindex.html"],
  ],
  ["Haddock", "haddock-bundle.min.js", ["Data-Map.html"], ["doc-index-A.html", "src/Data.Map.html"]],
  ["rustdoc", "crates.js", ["a/struct.B.html"], ["src/a/lib.rs.html", "a/all.html", "settings.html"]],
])("of HTML that %s has built, what it makes for itself is no page", async (tool, marker, pages, own) => {
  const files = Object.fromEntries([...pages, ...own].map((name) => [name, page.replace("Words", name)]));
  const { pages: read, skipped } = await listed({ ...files, [marker]: "" });
  expect(read).toEqual(pages.map((name) => name.replace(/(?:^|\/)?index\.html$/, "")).sort());
  expect(Object.keys(skipped).sort()).toEqual(own.toSorted());
  for (const detail of Object.values(skipped)) expect(detail).toStartWith(`is made by ${tool} for itself`);
  // Where it has not, they are pages like any others.
  const others = await listed(files);
  expect(others.pages).toHaveLength(pages.length + own.length);
});

test("pages that lie together are read without what they have in common, and a few of all with those of other folders", async () => {
  using folder = temporaryDirectory();
  const names = ["one", "two", "three", "four", "more/five"];
  for (const name of names) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(
      join(folder.path, `${name}.html`),
      `<title>${name} - Manual</title><h1>Manual</h1><p>All about ${name}.</p><p>Printed by nobody.</p>`,
    );
  }
  const read: Record<string, unknown> = {};
  for await (const item of createFolderReader({ root: folder.path, fileBytesMax: 100_000 }).list(
    listContext(),
  )) {
    if (isSkipped(item)) continue;
    const { title, markdown } = await pageOf(item);
    read[item.path] = [title, markdown];
  }
  expect(read).toEqual(
    Object.fromEntries(names.map((name) => [`${name}.html`, [name, `All about ${name}.`]])),
  );
});

test("a folder with few pages is compared with all of them, whichever is read first", async () => {
  using folder = temporaryDirectory();
  const words = (name: string) => `<p>All about ${name}.</p>`;
  const around = (name: string) => (name.includes("/") ? "<p>Of a part.</p>" : "<p>Of the whole.</p>");
  const names = ["one", "two", "three", "four", ...["1", "2", "3"].map((each) => `a/${each}`), "b/1", "b/2"];
  for (const name of names) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(join(folder.path, `${name}.html`), `<title>${name}</title>${words(name)}${around(name)}`);
  }
  const read: Record<string, string> = {};
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 100_000 });
  const listed = await Array.fromAsync(reader.list(listContext()));
  const items = listed.flatMap((item) => (isSkipped(item) ? [] : [item]));
  // Those of the root are first.
  for (const item of items.toSorted((a, b) => (a.path < b.path ? 1 : -1))) {
    read[item.path] = (await pageOf(item)).markdown;
  }
  expect([read["one.html"], read["a/1.html"], read["b/1.html"]]).toEqual([
    "All about one.",
    "All about a/1.",
    "All about b/1.",
  ]);
});

test("of a link to what a tool has made for itself, only the words stay", async () => {
  using folder = temporaryDirectory();
  const links = `<h1>Thing</h1><p>Defined in <a href="a_8h_source.html#l1">a.h</a>, see <a href="other.html">other</a>.</p>`;
  const files = { "doxygen.css": "", "thing.html": links, "a_8h_source.html": page, "other.html": page };
  for (const [name, content] of Object.entries(files)) await Bun.write(join(folder.path, name), content);
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 100_000 });
  for await (const item of reader.list(listContext())) {
    if (isSkipped(item) || item.path !== "thing.html") continue;
    const { markdown } = await pageOf(item);
    expect(markdown).toBe("# Thing\n\nDefined in a.h, see [other](other.html).");
  }
  expect.assertions(1);
});

test("files of a folder that hold the same page are one page", async () => {
  const { pages, skipped, redirects } = await listed({
    "ch-intro.html": page,
    "ch01.html": page,
    "ch02.html": page.replace("Words", "Wards"),
    "de/ch01.html": page,
    "copy.md": "# Page\n",
    "copy2.md": "# Page\n",
  });
  expect(pages).toEqual(["ch-intro.html", "ch02.html", "copy", "copy2", "de/ch01.html"]);
  expect(skipped).toEqual({ "ch01.html": "is the same as ch-intro.html" });
  expect(redirects).toEqual([{ from: "ch01", to: "ch-intro.html" }]);
});

test("a page that only leads to another one is an address of that", async () => {
  const leading = (to: string, seconds = 0) =>
    `<html><head><meta http-equiv="Refresh" content="${seconds}; url=${to}"><title>x</title></head><body><p>The node is at <a href="${to}">x</a>.</p></body></html>`;
  const { pages, skipped, redirects } = await listed({
    "book/sines.html": page,
    "book/XREFsin.html": leading("sines.html#XREFsin"),
    "book/twice.html": leading("XREFsin.html"),
    "book/gone.html": leading("nowhere.html"),
    "book/away.html": leading("https://a.example/x"),
    "book/round.html": leading("round.html"),
    "book/clock.html": leading("sines.html", 60),
    "book/large.html": `${leading("sines.html")}<p>${"Words. ".repeat(2_000)}</p>`,
  });
  expect(pages).toEqual(["clock", "large", "round", "sines"].map((name) => `book/${name}.html`));
  expect(skipped).toEqual({
    "book/XREFsin.html": "only leads to book/sines.html#XREFsin",
    "book/twice.html": "only leads to book/XREFsin.html",
    "book/gone.html": "only leads to book/nowhere.html",
    "book/away.html": "only leads to https://a.example/x",
  });
  expect(redirects).toHaveLength(2);
  expect(redirects).toContainEqual({ from: "book/XREFsin", to: "book/sines.html#XREFsin" });
  expect(redirects).toContainEqual({ from: "book/twice", to: "book/sines.html#XREFsin" });
});

/** Pages with what their heads say of their own addresses. */
const withHeads = (pages: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(pages).map(([name, head]) => [
      name,
      `<!doctype html><html><head>${head}<title>${name}</title></head><body><h1>${name}</h1><p>About ${name}.</p></body></html>`,
    ]),
  );
const canonical = (address: string) => `<link href="${address}" rel="canonical">`;

describe("the address of a page of HTML", () => {
  test("is that of its file, and of its folder for an index", async () => {
    const { pages } = await listed(
      withHeads({
        "index.html": "",
        "library/index.html": "",
        "library/os.html": "",
        "library/os.path.html": "",
        "library/os.path/index.html": "",
        "OLD.HTM": "",
        "readme.html": "",
      }),
    );
    expect(pages).toEqual(
      [
        "",
        "library",
        "library/os.html",
        "library/os.path",
        "library/os.path.html",
        "OLD.HTM",
        "readme.html",
      ].sort(),
    );
  });

  test.each([
    ["without an extension", "", ["a", "b/c", "d"]],
    ["with a slash at the end", "/", ["a", "b/c", "d"]],
    ["with their extension", ".html", ["a.html", "b/c.html", "d.html"]],
  ])("is what most pages say, %s", async (_, ending, expected) => {
    const at = (path: string) => canonical(`https://docs.example/v2/${path}${ending}`);
    const said = withHeads({ "a.html": at("a"), "b/c.html": at("b/c"), "d.html": at("d"), "index.html": "" });
    expect((await listed(said)).pages).toEqual(["", ...expected]);
    const shared = Object.fromEntries(
      Object.entries(said).map(([name, text]) => [
        name,
        text.replace(/<link href="([^"]*)" rel="canonical">/, '<meta property="og:url" content="$1">'),
      ]),
    );
    expect((await listed(shared)).pages).toEqual(["", ...expected]);
  });

  test("is not taken from a few pages, nor from a theme that says one address on all", async () => {
    const at = (path: string) => canonical(`https://docs.example/${path}`);
    const few = { "a.html": at("a"), "b.html": at("b"), "c.html": "", "d.html": at("d.html") };
    expect((await listed(withHeads(few))).pages).toEqual(["a.html", "b.html", "c.html", "d.html"]);
    const same = { "a.html": at("a"), "b.html": at("a"), "c.html": at("a"), "d.html": at("a") };
    expect((await listed(withHeads(same))).pages).toEqual(["a.html", "b.html", "c.html", "d.html"]);
  });

  test("is none where the page was written in another format beside it", async () => {
    const { pages, skipped } = await listed({
      "guide.md": "# Guide",
      "notes.txt": "Notes",
      ...withHeads({ "guide.html": "", "notes.html": "", "other.html": "" }),
    });
    expect(pages).toEqual(["guide", "notes.html", "other.html"]);
    expect(skipped).toEqual({
      "guide.html": "has the same path as guide.md: /guide",
      "notes.txt": "has the same path as notes.html: /notes",
    });
  });
});
