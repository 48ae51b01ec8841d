import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MenuEntry } from "../../../src/reading/page/menu.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

type Shown = { [label: string]: string | [string, Shown] | Shown };

/** A menu as it is written in these tests: labels with paths, groups with what is in them. */
const shown = (entries: readonly MenuEntry[]): Shown =>
  Object.fromEntries(
    entries.flatMap(({ label, path, href, isRest, children }): [string, Shown[string]][] => {
      if (isRest === true) return [];
      const leads = path ?? href;
      if (children.length === 0) return [[label, leads ?? ""]];
      return [[label, leads === undefined ? shown(children) : [leads, shown(children)]]];
    }),
  );

/** The menu of a folder of HTML. */
async function menuOf(files: Record<string, string>): Promise<{ menu: Shown; isOpen: boolean } | undefined> {
  using folder = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    await Bun.write(join(folder.path, name), content);
  }
  let menu: readonly MenuEntry[] | undefined;
  const context = {
    ...listContext(),
    onRecognized: (docs: { menu?: readonly MenuEntry[] | undefined }) => (menu = docs.menu),
  };
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 100_000 });
  for await (const _ of reader.list(context));
  return menu && { menu: shown(menu), isOpen: menu.some(({ isRest }) => isRest === true) };
}

const page = (title: string, around: string, { language = "en", after = "" } = {}) =>
  `<!doctype html><html lang="${language}"><title>${title}</title><body>${around}<main><h1>${title}</h1><p>Words of ${title}.</p></main>${after}</body></html>`;

/** Pages of one folder, each with what is around it. */
const pages = (names: readonly string[], around: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [`${name}.html`, page(name, around(name))]));

const link = (name: string, current: string) =>
  `<a href="${name}.html"${name === current ? ' aria-current="page"' : ""}>The ${name}</a>`;

const NAMES = ["index", "zebra", "apple", "mango", "plum"];

test("the menu of built pages is the list of links beside their words, in its order", async () => {
  const around = (current: string) =>
    `<nav><ul>
      <li>${link("zebra", current)}</li>
      <li><details><summary>Fruit <span class="badge">New</span></summary><ul><li>${link("mango", current)}</li><li>${link("apple", current)}</li></ul></details></li>
      <li><a href="https://example.org/">Elsewhere</a></li>
    </ul></nav>`;
  expect(await menuOf(pages(NAMES, around))).toEqual({
    menu: {
      "The zebra": "zebra.html",
      Fruit: { "The mango": "mango.html", "The apple": "apple.html" },
      Elsewhere: "https://example.org/",
    },
    // Plum is in no menu: it stands by its path.
    isOpen: true,
  });
});

test("bars at the top, the way here, the way on, and what is on the page are no menu", async () => {
  const around = (current: string) =>
    `<header><a href="index.html">Acme</a><ul><li><a href="zebra.html">Docs</a></li><li><a href="plum.html">Blog</a></li></ul></header>
    <nav aria-label="Breadcrumbs"><ol>${NAMES.map((name) => `<li>${link(name, current)}</li>`).join("")}</ol></nav>
    <ul class="languages"><li><a hreflang="de" href="mango.html">Deutsch</a></li><li><a hreflang="en" href="${current}.html">English</a></li></ul>
    <aside><h2>Acme</h2><ul><li>${link("zebra", current)}</li><li>${link("apple", current)}<ul><li><a href="apple.html#one">One</a></li></ul></li></ul></aside>
    <aside><nav><ul><li><a href="#words">Words</a></li><li><a href="#more">More</a></li></ul></nav></aside>
    <nav class="pager"><a href="apple.html">Before</a><a href="plum.html">After</a></nav>
    <footer><ul>${NAMES.map((name) => `<li>${link(name, current)}</li>`).join("")}</ul></footer>`;
  const read = await menuOf(pages(["index", "zebra", "apple", "mango"], around));
  expect(read?.menu).toEqual({ "The zebra": "zebra.html", "The apple": "apple.html" });
});

test("what is closed on one page is open on another: pages together show the menu", async () => {
  const parts: Record<string, string[]> = { a: ["a1", "a2"], b: ["b1", "b2"], c: [] };
  const names = Object.entries(parts).flatMap(([name, below]) => [name, ...below]);
  const around = (current: string) => {
    const items = Object.entries(parts).map(([name, below]) => {
      const isOpen = name === current || below.includes(current);
      const list = `<ul>${below.map((each) => `<li>${link(each, current)}</li>`).join("")}</ul>`;
      return `<li>${link(name, current)}${isOpen ? list : ""}</li>`;
    });
    return `<div role="navigation"><p>Contents</p><ul>${items.join("")}</ul></div>`;
  };
  expect((await menuOf(pages(names, around)))?.menu).toEqual({
    "The a": ["a.html", { "The a1": "a1.html", "The a2": "a2.html" }],
    "The b": ["b.html", { "The b1": "b1.html", "The b2": "b2.html" }],
    "The c": "c.html",
  });
});

test("a menu of the first levels is that of the deeper pages, too, which stand by their paths", async () => {
  const around = (current: string) => {
    const item = (name: string) =>
      `<li class="${current.startsWith(name) ? "current" : ""}"><a href="${name}.html">The ${name}</a></li>`;
    return `<nav><ul>${["a", "b"].map(item).join("")}</ul></nav>`;
  };
  const read = await menuOf(pages(["a", "b", "a1", "a2", "a3", "b1", "b2"], around));
  expect(read).toEqual({ menu: { "The a": "a.html", "The b": "b.html" }, isOpen: true });
});

test("titles stand above what follows them: in a list, above one, and in boxes", async () => {
  const inList = (current: string) =>
    `<nav><ul><li class="part">First</li><li class="page">${link("apple", current)}</li><li class="page">Not written</li><li class="part">Second</li><li class="page">${link("mango", current)}</li></ul></nav>`;
  const aboveLists = (current: string) =>
    `<nav><p>First</p><ul><li>${link("apple", current)}</li></ul><p>Second</p><ul><li>${link("mango", current)}</li></ul></nav>`;
  const inBoxes = (current: string) =>
    `<nav><div class="box"><div class="name"><h2>First</h2></div><div class="items"><div class="link">${link("apple", current)}</div></div></div><div class="box"><div class="name"><h2>Second</h2></div><div class="items"><div class="link">${link("mango", current)}</div></div></div></nav>`;
  for (const around of [inList, aboveLists, inBoxes])
    expect((await menuOf(pages(["apple", "mango", "plum"], around)))?.menu).toEqual({
      First: { "The apple": "apple.html" },
      Second: { "The mango": "mango.html" },
    });
});

test("parts of a site with menus of their own stand below what leads to them in the bar", async () => {
  const bar = (part: string) =>
    `<header><nav><ul>${["guide", "api"].map((each) => `<li><a href="/docs/${each}/index.html" class="${each === part ? "active" : ""}">${each.toUpperCase()}</a></li>`).join("")}<li><a href="/docs/team.html">Team</a></li></ul></nav></header>`;
  const around = (part: string, names: string[]) =>
    `${bar(part)}<aside><ul>${names.map((name) => `<li><a href="/docs/${part}/${name}.html">${part} ${name}</a></li>`).join("")}</ul></aside>`;
  const part = (name: string, names: string[]) =>
    Object.fromEntries(names.map((each) => [`${name}/${each}.html`, page(each, around(name, names))]));
  const read = await menuOf({
    ...part("api", ["calls", "types"]),
    ...part("guide", ["start", "more"]),
    "team.html": page("Team", bar("team")),
    "guide/index.html": page("Guide", around("guide", ["start", "more"])),
    "api/index.html": page("API", around("api", ["calls", "types"])),
  });
  expect(read?.menu).toEqual({
    GUIDE: ["guide", { "guide start": "guide/start.html", "guide more": "guide/more.html" }],
    API: ["api", { "api calls": "api/calls.html", "api types": "api/types.html" }],
    Team: "team.html",
  });
});

test("each language has its own menu, under its own name", async () => {
  const around = (folder: string) =>
    `<nav><ul><li><a href="/${folder}one.html">${folder}1</a></li><li><a href="/${folder}two.html">${folder}2</a></li></ul></nav>`;
  const files = ["", "fr/"].flatMap((folder) =>
    ["one", "two"].map((name): [string, string] => [
      `${folder}${name}.html`,
      page(name, around(folder), { language: folder === "" ? "en" : "fr" }),
    ]),
  );
  expect((await menuOf(Object.fromEntries(files)))?.menu).toEqual({
    English: { "1": "one.html", "2": "two.html" },
    Français: { "fr/1": "fr/one.html", "fr/2": "fr/two.html" },
  });
});

test("a menu that pages show in a frame is theirs", async () => {
  const around = () => `<nav><noscript><iframe src="toc.html"></iframe></noscript></nav>`;
  const read = await menuOf({
    ...pages(["apple", "mango", "plum"], around),
    "toc.html":
      '<body><ol><li><a href="mango.html" target="_parent">Mango</a></li><li><a href="apple.html">Apple</a></li></ol></body>',
  });
  expect(read?.menu).toEqual({ Mango: "mango.html", Apple: "apple.html" });
});

test("pages without a list that they are in themselves have no menu, whatever they link to", async () => {
  const all = NAMES.map((name) => `<li><a href="${name}.html">${name}</a></li>`).join("");
  expect(await menuOf(pages(NAMES, () => `<footer><nav><ul>${all}</ul></nav></footer>`))).toBeUndefined();
  const plain = Object.fromEntries(
    NAMES.map((name) => [`${name}.html`, page(`${name}</h1><ul>${all}</ul><h1>`, "")]),
  );
  expect(await menuOf(plain)).toBeUndefined();
});

test("lists without end and without bottom are read within bounds", async () => {
  const deep = `<nav>${"<ul><li>".repeat(3_000)}<a href="apple.html">Apple</a></nav>`;
  expect(await menuOf(pages(["apple", "mango", "plum"], () => deep))).toBeUndefined();
});
