import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { installWithNpm } from "./installed.ts";
import type { Judge } from "./judge.ts";
import type { PublishedEntry } from "./published.ts";

const PINS = JSON.stringify({ private: true, type: "module", dependencies: { "@rspress/core": "2.0.22" } });

/** Rspress. A repository's own plugins and components are not installed. */
export const rspress: Judge = {
  name: "rspress",
  pins: PINS,
  install: (folder, untilMs) => installWithNpm(folder, PINS, untilMs),
  async build({ installed, source, into, untilMs }) {
    await symlink(join(installed, "node_modules"), join(source, "node_modules"));
    await Bun.write(join(source, "package.json"), PINS);
    const program = join(installed, "node_modules", "@rspress", "core", "bin", "rspress.js");
    await runBounded(["node", program, "build"], { untilMs, folder: source });
    await runBounded(["cp", "-r", `${join(source, "doc_build")}/.`, into], { untilMs });
    return {
      folder: into,
      generator: "Rspress 2.0.22",
      base: "/",
      leaves: (file) => file === "404.html",
      isContent: ({ classes }) => classes.has("rspress-doc") || classes.has("rp-home-hero"),
      isTitle: ({ tag }) => tag === "title",
      titleIn: (words) => words.replace(/ - Loom$/, ""),
      isNoise: ({ classes }) => classes.has("rp-header-anchor"),
      givenMenu: await menuIn(into),
    };
  },
};

const NAV =
  /<li class="rp-nav-menu__item[^"]*">(?:<a href="([^"]*)"|<div)[^>]*class="rp-nav-menu__item__container[^"]*"[^>]*>([^<]*)/g;
const HOVER = /<ul class="rp-hover-group [^"]*">(.*?)<\/ul>/s;
const LINK = /<a href="([^"]*)"[^>]*aria-label="([^"]*)"/g;
/** Elements of a sidebar stand beside each other, with their depth; a title has none. */
const ITEM =
  /<(?:a href="([^"]*)"|div) class="rp-sidebar-item[ "][^>]*data-depth="(\d+)"[^>]*>.*?<span class="rp-doc">([^<]*)|rp-sidebar-section-header__left"><span>([^<]*)/gs;

/** The bar at the top, with the sidebar of the page that each of its entries leads to, as Docent has them. */
async function menuIn(folder: string): Promise<PublishedEntry[]> {
  const home = await Bun.file(join(folder, "index.html")).text();
  const bar =
    /<ul class="rp-nav-menu rp-nav-menu--right">(.*?)<div class="rp-nav__others">/s.exec(home)?.[1] ?? "";
  const menu: PublishedEntry[] = [];
  for (const found of bar.matchAll(NAV)) {
    const [, href, label = ""] = found;
    const inside =
      HOVER.exec(bar.slice(found.index).split('<li class="rp-nav-menu__item', 2).join(""))?.[1] ?? "";
    const links = href === undefined ? [...inside.matchAll(LINK)] : [];
    const below = links.map(([, to = "", words = ""]) => entryOf(words, to));
    const children = href === undefined ? [] : sidebarIn(await Bun.file(join(folder, href)).text());
    menu.push({ ...entryOf(label, href), children: [...children, ...below] });
  }
  return menu;
}

function sidebarIn(html: string): PublishedEntry[] {
  const sidebar = /<aside class="rp-doc-layout__sidebar[^>]*>(.*?)<\/aside>/s.exec(html)?.[1] ?? "";
  const top: PublishedEntry[] = [];
  let part = top;
  const open: PublishedEntry[][] = [];
  for (const [, href, depth, label = "", title] of sidebar.matchAll(ITEM)) {
    if (title !== undefined) {
      part = [];
      top.push({ label: title, children: part });
      continue;
    }
    const entry = entryOf(label, href);
    open.length = Number(depth);
    (open.at(-1) ?? part).push(entry);
    open.push(entry.children);
  }
  return top.filter(({ path, children }) => path !== undefined || children.length > 0);
}

const entryOf = (label: string, href: string | undefined): PublishedEntry => ({
  label: label.trim(),
  ...(href?.startsWith("/") === true ? { path: href.slice(1).replace(/(^|\/)index\.html$/, "") } : {}),
  children: [],
});
