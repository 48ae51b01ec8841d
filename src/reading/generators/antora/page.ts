import type {
  AsciidocLinks,
  AsciidocPlace,
  AsciidocReader,
  Included,
} from "../../markdown/asciidoc/asciidoc.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import type { Catalog, Resource } from "./catalog.ts";
import type { Component } from "./components.ts";
import type { AttributeValue, Playbook } from "./playbook.ts";

/** What a site's pages are read with. */
export interface Site {
  tree: DocsTree;
  catalog: Catalog;
  playbook: Playbook;
  asciidoc: AsciidocReader;
  /** What pages are called where a reference or the menu says nothing, by their locations; as HTML. */
  titles: Map<string, PageNames>;
}

interface PageNames {
  title: string;
  reference: string;
  navigation: string;
}

/** Where a page, or a menu, is read. */
type Origin = Pick<Resource, "location" | "component" | "module" | "relative" | "family">;

export async function readPage(site: Site, page: Resource): Promise<ReadDocsPage> {
  const source = (await site.tree.text(page.location)) ?? "";
  const unknown = new Set<string>();
  const read = await site.asciidoc.page(source, placeOf(site, page, unknown));
  const faults = [...unknown].map((target) => `${target}, which it refers to, is not in these docs`);
  return {
    data: read.data,
    markdown: read.markdown,
    faults: [...read.faults, ...faults].slice(0, FAULTS_MAX),
  };
}

const FAULTS_MAX = 20;

/** How the library finds what a file names. What it refers to in vain is noted in `unknown`. */
export function placeOf(site: Site, origin: Origin, unknown = new Set<string>()): AsciidocPlace {
  return {
    location: origin.location,
    include: (target, from) => included(site, target, from, origin),
    attributes: attributesOf(site.playbook, origin),
    links: linksOf(site, origin, unknown),
  };
}

function attributesOf(playbook: Playbook, origin: Origin): Readonly<Record<string, AttributeValue>> {
  const { component, module, relative, family } = origin;
  const own = Object.entries(component.attributes).filter(([name]) => !isLocked(playbook.attributes[name]));
  return {
    ...playbook.attributes,
    ...Object.fromEntries(own),
    docname: `${family === "nav" ? "nav$" : ""}${relative.replace(/\.adoc$/, "")}`,
    docfilesuffix: ".adoc",
    imagesdir: "",
    examplesdir: "example$",
    partialsdir: "partial$",
    "page-component-name": component.name,
    "page-component-title": component.title,
    "page-component-version": component.version,
    "page-version": component.version,
    "page-module": module,
    "page-relative-src-path": relative,
  };
}

/** What the playbook says is not for components to change, unless it allows that. */
const isLocked = (value: AttributeValue | undefined) =>
  value !== undefined && value !== false && !(typeof value === "string" && value.endsWith("@"));

async function included(
  { tree, catalog }: Site,
  target: string,
  from: string,
  origin: Origin,
): Promise<Included | string> {
  const context = catalog.at(from) ?? origin;
  const location = /[$:@]/.test(target)
    ? catalog.resolve(target, context, "page")?.location
    : resolveLocation(folderOf(from), target);
  const isInside = location !== undefined && isBelow(location, context.component);
  const text = location === undefined ? undefined : await tree.text(location);
  if (location === undefined || text === undefined || (!isInside && !/[$:@]/.test(target)))
    return "is not in this source";
  return { location, text };
}

const isBelow = (location: string, { root }: Component) => root === "" || location.startsWith(`${root}/`);

function linksOf({ catalog, titles }: Site, origin: Origin, unknown: Set<string>): AsciidocLinks {
  return {
    page({ target, anchor, text }) {
      const found = catalog.resolve(target, origin, "page");
      if (found === undefined) {
        unknown.add(target.slice(0, 300));
        return { href: "", text: text ?? target };
      }
      if (found.family !== "page") return { href: `/${found.location}`, text: text ?? target };
      const names = titles.get(found.location);
      const said = (origin.family === "nav" ? names?.navigation : names?.reference) ?? target;
      const path = catalog.pathOf(found);
      const isSame = found.location === origin.location && anchor !== undefined;
      const href = isSame ? `#${anchor}` : `/${path}${anchor === undefined ? "" : `#${anchor}`}`;
      return { href, text: text ?? said };
    },
    image(target) {
      const found = catalog.resolve(target, origin, "image");
      return found === undefined ? target : `/${found.location}`;
    },
  };
}
