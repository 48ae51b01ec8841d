import { readdirSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";

const PINS = JSON.stringify({
  private: true,
  dependencies: {
    "@mdx-js/mdx": "3.1.1",
    "fumadocs-core": "16.15.12",
    "fumadocs-mdx": "15.4.3",
    react: "19.2.0",
    "react-dom": "19.2.0",
    "remark-gfm": "4.0.1",
    yaml: "2.9.1",
  },
});

/**
 * Writes pages as HTML: files become addresses and the menu by the functions of Fumadocs itself, and Markdown by its
 * plugins. A program of the site's own, with components of ours, would show them otherwise.
 */
const BUILD = `import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as runtime from "react/jsx-runtime";
import { createElement as h } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { evaluate } from "@mdx-js/mdx";
import { loader } from "fumadocs-core/source";
import { remarkGfm, remarkHeading } from "fumadocs-core/mdx-plugins";
import { remarkInclude } from "fumadocs-mdx/config";
import { parse } from "yaml";

const [into, ...folders] = process.argv.slice(2);
const names = new Set(["Cards", "Tabs", "Tab", "Callout", "Steps", "Step", "Accordions", "Accordion", "Files", "Folder", "File", "TypeTable", "Rocket"]);
async function sourceOf(folder) {
  const files = [];
  for await (const path of glob("**/*.{md,mdx,json}", { cwd: folder })) {
    const text = await readFile(join(folder, path), "utf8");
    if (path.endsWith(".json")) files.push({ type: "meta", path, data: JSON.parse(text) });
    else {
      for (const [, name] of text.matchAll(/<([A-Z]\\w*)/g)) if (name !== "Card") names.add(name);
      const [, front = "", body = text] = /^---\\n([\\s\\S]*?)\\n---\\n?([\\s\\S]*)$/.exec(text) ?? [];
      files.push({ type: "page", path, data: { ...parse(front), body }, absolutePath: join(process.cwd(), folder, path) });
    }
  }
  return { files };
}
const plain = ({ children }) => h("div", null, children);
const entries = (nodes) => nodes.map((node) => {
  if (node.type === "separator") return h("li", { className: node.name === undefined ? "rule" : "part" }, node.name ?? "");
  if (node.type === "page") return h("li", null, h("a", { href: node.url }, node.name));
  const label = node.index ? h("a", { href: node.index.url }, node.name) : node.name;
  return h("li", null, label, h("ul", null, entries(node.children)));
});
const parts = [];
for (const each of folders) {
  const [folder, baseUrl] = each.split("=");
  parts.push(loader({ baseUrl, source: await sourceOf(folder) }));
}
const components = {
  Card: ({ title, href, children }) => h("div", null, h("a", { href }, title), children),
  ...Object.fromEntries([...names].map((name) => [name, plain])),
};
const menu = h("ul", { className: "menu" }, entries(parts[0].pageTree.children));
for (const page of parts.flatMap((part) => part.getPages())) {
  // A page of somebody's docs may want what a plugin of theirs adds: it is not compared.
  const html = await htmlOf(page).catch((error) => console.error("left out: " + page.path + ": " + error.message));
  if (html === undefined) continue;
  const file = join(into, page.url.replace(/^\\//, "") + ".html");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}
async function htmlOf(page) {
  const value = page.data.body.replace(/^import .*$/gm, "");
  const { default: Content } = await evaluate({ value, path: page.absolutePath }, {
    ...runtime, format: page.path.endsWith(".md") ? "md" : "mdx", remarkPlugins: [remarkInclude, remarkGfm, remarkHeading] });
  return renderToStaticMarkup(h("html", null, h("head", null, h("title", null, page.data.title)),
    h("body", null, menu, h("main", null, h(Content, { components })))));
}
`;

/** Fumadocs without a program that shows its pages. */
export const fumadocs: Judge = {
  name: "fumadocs",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source: copy, into, untilMs, isForeign }) {
    const source = isForeign ? siteFolder(copy) : copy;
    const folders = isForeign ? foldersIn(source) : ["content/docs=/docs", "content/blog=/news"];
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await Bun.write(join(source, "build.mjs"), BUILD);
    await runBounded([process.execPath, join(source, "build.mjs"), into, ...folders], {
      untilMs,
      folder: source,
    });
    return {
      folder: into,
      generator: "Fumadocs 16.15.12",
      base: "/",
      addressOf: (file) => file.replace(/\.html$/, ""),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      menu: {
        page: `${(folders[0] ?? "").replace(/^.*=\//, "")}.html`,
        isMenu: ({ classes }) => classes.has("menu"),
        isPart: ({ classes }) => classes.has("part"),
        isRule: ({ classes }) => classes.has("part") || classes.has("rule"),
      },
    };
  },
};

/** The folder of the configuration beside which most pages are. */
function siteFolder(copy: string): string {
  const pagesIn = (folder: string) =>
    [...new Bun.Glob("content/**/*.{md,mdx}").scanSync({ cwd: join(copy, folder) })].length;
  const [found] = [...new Bun.Glob("**/source.config.*").scanSync({ cwd: copy })]
    .filter((file) => !file.includes("node_modules"))
    .map((file) => ({ folder: dirname(file), count: pagesIn(dirname(file)) }))
    .sort((a, b) => b.count - a.count);
  return join(copy, found?.folder ?? "");
}

/** The folders of somebody's pages, which are taken to have the addresses of their names; docs come first. */
function foldersIn(source: string): string[] {
  const names = readdirSync(join(source, "content"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => Number(b === "docs") - Number(a === "docs"));
  if (names.length === 0) throw new NotHere("its pages are in no folder of content");
  return names.map((name) => `content/${name}=/${name}`);
}
