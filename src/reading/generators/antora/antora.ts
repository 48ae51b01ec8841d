import { decodePercent } from "@docent/kernel/text/decode-percent";
import { type ListEntry, ownAsciidoc, readAsciidocHeader } from "../../markdown/asciidoc/asciidoc.ts";
import type { MenuEntry } from "../../page/menu.ts";
import type { DocsSite, GeneratorAdapter, LeftOut, OpenOptions } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { createCatalog, type Resource } from "./catalog.ts";
import { type Component, chosenVersions, readComponents } from "./components.ts";
import { placeOf, readPage, type Site } from "./page.ts";
import { type Playbook, playbookFiles, readPlaybook } from "./playbook.ts";

/** Antora: components of pages in AsciiDoc, each described by an `antora.yml`. */
export const antora: GeneratorAdapter = {
  name: "Antora",
  roots(tree) {
    const folders = rootsIn(SITE_FILES.antora, tree.files);
    if (folders.length === 0) return [];
    const playbook = playbookFiles(tree)[0];
    return [commonFolder(playbook === undefined ? folders : [...folders, folderOf(playbook)])];
  },
  open,
};

function commonFolder(folders: readonly string[]): string {
  let common = (folders[0] ?? "").split("/");
  for (const folder of folders) {
    const names = folder.split("/");
    const end = common.findIndex((name, at) => names[at] !== name);
    if (end >= 0) common = common.slice(0, end);
  }
  return common.join("/");
}

const HEADERS_MAX = 20_000;

async function open(tree: DocsTree, root: string, wanted: OpenOptions): Promise<DocsSite | undefined> {
  const playbook = await withIdStyle(tree, await readPlaybook(tree));
  const { components: all, unknowns } = await readComponents(tree, playbook);
  if (all.length === 0) return undefined;
  const components = chosenVersions(all, wanted.version);
  const isOneOfSeveral = ({ name }: Component) =>
    wanted.version === undefined && all.filter((each) => each.name === name).length > 1;
  const catalog = createCatalog(tree, components, playbook);
  const { asciidoc = ownAsciidoc } = wanted;
  const site: Site = { tree, catalog, playbook, asciidoc, titles: new Map() };
  const pages = catalog.resources.filter(
    ({ family, relative }) => family === "page" && !`/${relative}`.includes("/_"),
  );
  const redirects = await readHeaders(site, pages);
  const menu = await menuOf(site, components);
  return {
    generator: "Antora",
    root,
    pages: distinct(
      pages.map((page) => ({
        location: page.location,
        path: catalog.pathOf(page),
        edition: { version: isOneOfSeveral(page.component) ? page.component.version : undefined },
      })),
    ),
    leftOut: leftOut(tree, site, all, components),
    menu,
    redirects: [...redirects, ...startPages(site, components)],
    unknowns: [...playbook.unknowns, ...unknowns],
    async read({ location }) {
      const page = catalog.at(location);
      return page === undefined ? { data: {}, markdown: "", faults: [] } : readPage(site, page);
    },
  };
}

function distinct<T extends { path: string }>(pages: readonly T[]): T[] {
  return [...new Map(pages.toReversed().map((page) => [page.path, page])).values()].toReversed();
}

/** Reads what all pages are called, and where they were before. */
async function readHeaders(site: Site, pages: readonly Resource[]): Promise<DocsSite["redirects"]> {
  const aliases: [spec: string, page: Resource][] = [];
  for (const page of pages.slice(0, HEADERS_MAX)) {
    const text = (await site.tree.text(page.location)) ?? "";
    const { title, attributes, ...names } = await readAsciidocHeader(text, placeOf(site, page));
    if (title !== undefined) {
      const reference = names.reference ?? title;
      site.titles.set(page.location, {
        title,
        reference,
        navigation: names.navigation ?? reference,
      });
    }
    for (const spec of attributes.get("page-aliases")?.split(",") ?? [])
      if (spec.trim() !== "") aliases.push([spec.trim(), page]);
  }
  return aliases.flatMap(([spec, page]) => {
    const from = site.catalog.addAlias(spec, page);
    return from === undefined ? [] : [{ from, to: `/${site.catalog.pathOf(page)}` }];
  });
}

/** The addresses of components, and of the site, lead to their start pages. */
function startPages({ catalog, playbook }: Site, components: readonly Component[]): DocsSite["redirects"] {
  const found = components.flatMap((component) => {
    const index = { component, module: "ROOT", relative: "index.adoc" };
    const page = component.startPage && catalog.resolve(component.startPage, index, "page");
    return page ? [{ from: catalog.pathOf(index), to: `/${catalog.pathOf(page)}` }] : [];
  });
  const [component] = components;
  const start =
    component && playbook.startPage
      ? catalog.resolve(playbook.startPage, { component, module: "ROOT", relative: "" }, "page")
      : undefined;
  const redirects = start === undefined ? found : [...found, { from: "", to: `/${catalog.pathOf(start)}` }];
  return redirects.filter(({ from, to }) => `/${from}` !== to);
}

/** The pages in AsciiDoc that are none of the site's, with why. */
function leftOut(
  tree: DocsTree,
  { catalog }: Site,
  all: readonly Component[],
  chosen: readonly Component[],
): LeftOut[] {
  const menus = new Set(chosen.flatMap(({ nav }) => nav));
  return tree.files.flatMap((location): LeftOut[] => {
    if (!location.endsWith(".adoc")) return [];
    const resource = catalog.at(location);
    if (menus.has(location)) return [{ location, detail: "is a menu" }];
    if (resource?.family === "page")
      return `/${resource.relative}`.includes("/_")
        ? [{ location, detail: "begins with an underscore, as parts of other pages do" }]
        : [];
    if (resource !== undefined) return [{ location, detail: `is a part of other pages: ${resource.family}` }];
    const other = all.find(
      (each) => !chosen.includes(each) && location.startsWith(joinLocation(each.root, "modules/")),
    );
    return other === undefined
      ? []
      : [{ location, detail: `is of version ${other.version}, and the docs are read in another` }];
  });
}

const PAGES_READ = 1_000;
const REFERENCES_MIN = 3;
const GIVEN = /\[\[([\w-]{1,200})[,\]]|^\[#([\w-]{1,200})|\banchor:([\w-]{1,200})\[/gm;
const WANTED = /<<#?([\w-]{1,200})[,>]|xref:[^\s[#]{0,300}#([\w-]{1,200})\[/g;

/**
 * A playbook says how ids are made of headings. Where it lies in another repository, as it often does, the pages'
 * references to their own headings tell whether these have hyphens, and not the low lines that are usual.
 */
async function withIdStyle(tree: DocsTree, playbook: Playbook): Promise<Playbook> {
  if (playbook.location !== undefined || !(await wantsHyphens(tree))) return playbook;
  return {
    ...playbook,
    attributes: { ...playbook.attributes, idprefix: "", idseparator: "-" },
    unknowns: [
      ...playbook.unknowns,
      {
        question: "Which idprefix and idseparator do headings have? The playbook is not in this source.",
        guess: "none and a hyphen, as the pages' own references are written",
      },
    ],
  };
}

async function wantsHyphens(tree: DocsTree): Promise<boolean> {
  const given = new Set<string>();
  const wanted = new Set<string>();
  const pages = tree.files.filter((file) => /(?:^|\/)modules\/.*\.adoc$/.test(file));
  for (const location of pages.slice(0, PAGES_READ)) {
    const text = (await tree.text(location)) ?? "";
    for (const match of text.matchAll(GIVEN)) given.add(match.slice(1).find((id) => id !== undefined) ?? "");
    for (const match of text.matchAll(WANTED))
      wanted.add(match.slice(1).find((id) => id !== undefined) ?? "");
  }
  const made = [...wanted].filter((id) => !given.has(id));
  const hyphens = made.filter((id) => /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(id)).length;
  const lowLines = made.filter((id) => /^_[a-z0-9_]+$/.test(id)).length;
  return hyphens >= REFERENCES_MIN && hyphens > lowLines;
}

/** The menu of a site: that of its only component, or each below its component's title. */
async function menuOf(site: Site, components: readonly Component[]): Promise<MenuEntry[]> {
  const menus: MenuEntry[] = [];
  for (const component of components) {
    const children = await menuOfComponent(site, component);
    if (children.length > 0) menus.push({ label: component.title, children });
  }
  const [only, ...others] = menus;
  return only !== undefined && others.length === 0 ? only.children : menus;
}

async function menuOfComponent(site: Site, component: Component): Promise<MenuEntry[]> {
  const entries: MenuEntry[] = [];
  for (const location of component.nav) {
    const source = await site.tree.text(location);
    if (source === undefined) continue;
    const below = component.root === "" ? location : location.slice(component.root.length + 1);
    const [modules, module = "ROOT", ...rest] = below.split("/");
    const isModule = modules === "modules";
    const origin = {
      location,
      component,
      module: isModule ? module : "ROOT",
      relative: isModule ? rest.join("/") : below,
      family: "nav",
    };
    const { lists } = await site.asciidoc.lists(source, placeOf(site, origin));
    for (const list of lists) {
      const { children, ...titled } = entryOf(list);
      if (list.isTitled) entries.push({ ...titled, children });
      else entries.push(...children);
    }
  }
  return entries;
}

function entryOf({ label, href, children }: ListEntry): MenuEntry {
  const isWithin = href?.startsWith("/") === true;
  return {
    label,
    ...(isWithin ? { path: decodePercent(href.slice(1).replace(/#.*$/, "")) } : {}),
    ...(href !== undefined && /^https?:/.test(href) ? { href } : {}),
    children: children.map(entryOf),
  };
}
