import { symlink } from "node:fs/promises";
import { join } from "node:path";
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

const [into] = process.argv.slice(2);
async function sourceOf(folder) {
  const files = [];
  for await (const path of glob("**/*.{md,mdx,json}", { cwd: folder })) {
    const text = await readFile(join(folder, path), "utf8");
    if (path.endsWith(".json")) files.push({ type: "meta", path, data: JSON.parse(text) });
    else {
      const [, front = "", body = text] = /^---\\n([\\s\\S]*?)\\n---\\n?([\\s\\S]*)$/.exec(text) ?? [];
      files.push({ type: "page", path, data: { ...parse(front), body }, absolutePath: join(process.cwd(), folder, path) });
    }
  }
  return { files };
}
const plain = ({ children }) => h("div", null, children);
const components = {
  Card: ({ title, href, children }) => h("div", null, h("a", { href }, title), children),
  ...Object.fromEntries(["Cards", "Tabs", "Tab", "Callout", "Steps", "Step", "Accordions", "Accordion", "Files", "Folder", "File", "TypeTable", "Rocket"].map((name) => [name, plain])),
};
const entries = (nodes) => nodes.map((node) => {
  if (node.type === "separator") return h("li", { className: node.name === undefined ? "rule" : "part" }, node.name ?? "");
  if (node.type === "page") return h("li", null, h("a", { href: node.url }, node.name));
  const label = node.index ? h("a", { href: node.index.url }, node.name) : node.name;
  return h("li", null, label, h("ul", null, entries(node.children)));
});
const docs = loader({ baseUrl: "/docs", source: await sourceOf("content/docs") });
const posts = loader({ baseUrl: "/news", source: await sourceOf("content/blog") });
const menu = h("ul", { className: "menu" }, entries(docs.pageTree.children));
for (const page of [...docs.getPages(), ...posts.getPages()]) {
  const value = page.data.body.replace(/^import .*$/gm, "");
  const { default: Content } = await evaluate({ value, path: page.absolutePath }, {
    ...runtime, format: page.path.endsWith(".md") ? "md" : "mdx", remarkPlugins: [remarkInclude, remarkGfm, remarkHeading] });
  const html = renderToStaticMarkup(h("html", null, h("head", null, h("title", null, page.data.title)),
    h("body", null, menu, h("main", null, h(Content, { components })))));
  const file = join(into, page.url.replace(/^\\//, "") + ".html");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}
`;

/** Fumadocs without a program that shows its pages. */
export const fumadocs: Judge = {
  name: "fumadocs",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs, isForeign }) {
    if (isForeign) throw new NotHere("its pages are shown by a program of each site's own");
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await Bun.write(join(source, "build.mjs"), BUILD);
    await runBounded([process.execPath, join(source, "build.mjs"), into], { untilMs, folder: source });
    return {
      folder: into,
      generator: "Fumadocs 16.15.12",
      base: "/",
      addressOf: (file) => file.replace(/\.html$/, ""),
      isContent: ({ tag }) => tag === "main",
      isTitle: ({ tag }) => tag === "title",
      menu: {
        page: "docs.html",
        isMenu: ({ classes }) => classes.has("menu"),
        isPart: ({ classes }) => classes.has("part"),
        isRule: ({ classes }) => classes.has("part") || classes.has("rule"),
      },
    };
  },
};
