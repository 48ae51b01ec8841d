import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { type ApiPage, readApiPage } from "./api-page.ts";
import { readLearnPage } from "./learn-page.ts";
import { type DocfxSettings, partMatcher } from "./settings.ts";

/** A page of the site. */
interface DocfxPage {
  location: string;
  path: string;
  title: string;
  /** Of a page that describes a part of an API. */
  api: ApiPage | undefined;
  /** The article that YAML holds, as it would be written by hand. */
  body?: string;
}

export interface DocfxPages {
  pages: DocfxPage[];
  /** The menus, outermost first. */
  menus: string[];
  leftOut: LeftOut[];
  redirects: { from: string; to: string }[];
  byLocation: ReadonlyMap<string, DocfxPage>;
  /** The address of a file in whose place another version of its page is published. */
  replaced: ReadonlyMap<string, string>;
  /** Where things with a unique name are described. */
  byUid: ReadonlyMap<string, UidPlace>;
}

export interface UidPlace {
  page: DocfxPage;
  anchor: string;
  name: string;
}

interface Listed {
  location: string;
  path: string;
  /** A later version of a page takes its address from an older one. */
  rank: string;
}

const MENU = /^toc\.(?:yml|md)$/i;

export async function findPages(
  tree: DocsTree,
  settings: DocfxSettings,
  version: string | undefined,
): Promise<DocfxPages> {
  const leftOut: LeftOut[] = [];
  const replaced = new Map<string, string>();
  const listed = await listFiles(tree, settings, version, { leftOut, replaced });
  const menus = listed.filter(({ location }) => MENU.test(nameOf(location))).map(({ location }) => location);
  const found: DocfxPages = {
    pages: [],
    menus,
    leftOut,
    redirects: [],
    byLocation: new Map(),
    replaced,
    byUid: new Map(),
  };
  const byLocation = new Map<string, DocfxPage>();
  const byUid = new Map<string, UidPlace>();
  for (const { location, path } of listed) {
    if (MENU.test(nameOf(location))) leftOut.push({ location, detail: "is a menu" });
    else if (/\.md$/i.test(location)) await addArticle(found, { tree, location, path, byLocation, byUid });
    else await addYaml(found, { tree, location, path, byLocation, byUid });
  }
  for (const page of byLocation.values()) found.pages.push(page);
  menus.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  return { ...found, byLocation, byUid };
}

const depthOf = (location: string) => location.split("/").length;

interface Adding {
  tree: DocsTree;
  location: string;
  path: string;
  byLocation: Map<string, DocfxPage>;
  byUid: Map<string, UidPlace>;
}

async function addArticle(
  found: DocfxPages,
  { tree, location, path, byLocation, byUid }: Adding,
): Promise<void> {
  const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
  const target = asText(data["redirect_url"]);
  if (target !== undefined) {
    found.leftOut.push({ location, detail: `leads to ${target}` });
    found.redirects.push({ from: path, to: target });
    return;
  }
  const title = titleOf(data, body) ?? nameOf(location).replace(/\.md$/i, "");
  const page = { location, path, title, api: undefined };
  byLocation.set(location, page);
  // Pages of commands are known by their modules and names.
  const group = asText(data["Module Name"]);
  const uid = asText(data["uid"]) ?? (group === undefined ? undefined : `${group}.${title}`);
  if (uid !== undefined) byUid.set(uid, { page, anchor: "", name: title });
}

async function addYaml(
  found: DocfxPages,
  { tree, location, path, byLocation, byUid }: Adding,
): Promise<void> {
  const text = /\.yml$/i.test(location) ? ((await tree.text(location)) ?? "") : "";
  const learn = readLearnPage(text);
  if (learn !== undefined) {
    const title = learn.title || nameOf(location).replace(/\.yml$/i, "");
    byLocation.set(location, { location, path, title, api: undefined, body: learn.body });
    return;
  }
  const api = readApiPage(text);
  if (api === undefined) {
    found.leftOut.push({ location, detail: "is of a kind whose pages only DocFX makes" });
    return;
  }
  const page = { location, path, title: api.title, api };
  byLocation.set(location, page);
  for (const { uid, anchor, name } of api.names) byUid.set(uid, { page, anchor, name });
}

async function listFiles(
  tree: DocsTree,
  settings: DocfxSettings,
  version: string | undefined,
  { leftOut, replaced }: { leftOut: LeftOut[]; replaced: Map<string, string> },
): Promise<Listed[]> {
  const byPath = new Map<string, Listed>();
  const overwriting = new Set(
    settings.overwrite.flatMap((part) => {
      const matches = partMatcher(part);
      return tree.below(part.folder).filter((location) => matches(belowFolder(part.folder, location)));
    }),
  );
  for (const part of settings.content) {
    const matches = partMatcher(part);
    const wanted = version !== undefined && [part.group, part.folder].some((name) => name.includes(version));
    const rank = `${wanted ? 1 : 0} ${part.group || part.folder}`;
    for (const location of tree.below(part.folder)) {
      const below = belowFolder(part.folder, location);
      if (!/\.(?:md|yml|json)$/i.test(location) || nameOf(location) === "docfx.json") continue;
      if (overwriting.has(location)) continue;
      const command = matches(below)
        ? undefined
        : await commandAt(tree, settings, { location, below, matches });
      if (command === undefined && !matches(below)) continue;
      const isMenu = MENU.test(nameOf(location));
      const path = isMenu ? location : pathOf(joinLocation(part.dest, command ?? below), settings);
      const other = byPath.get(path);
      if (other !== undefined && other.location !== location) {
        const isLater = rank.localeCompare(other.rank, "en", { numeric: true }) > 0;
        const [kept, dropped] = isLater ? [location, other.location] : [other.location, location];
        leftOut.push({ location: dropped, detail: `has the address of ${kept}` });
        replaced.set(dropped, path);
        if (!isLater) continue;
      }
      byPath.set(path, { location, path, rank });
    }
  }
  for (const location of overwriting) leftOut.push({ location, detail: "is put into pages of an API" });
  return [...byPath.values()];
}

/**
 * Where a command of PowerShell is published whose description is Markdown: Microsoft Learn makes the YAML of it that
 * the configuration names. A module is the index of its folder.
 */
async function commandAt(
  tree: DocsTree,
  { isPlain }: DocfxSettings,
  { location, below, matches }: { location: string; below: string; matches: (below: string) => boolean },
): Promise<string | undefined> {
  if (!isPlain || !/\.md$/i.test(below) || !matches(below.replace(/\.md$/i, ".yml"))) return undefined;
  const [front = ""] = /^---\n[\s\S]*?\n---/.exec(normalizeSource((await tree.text(location)) ?? "")) ?? [];
  if (!/^Module Name:/m.test(front)) return undefined;
  return /^Module Guid:/m.test(front) ? joinLocation(folderOf(below), "index.md") : below;
}

const belowFolder = (folder: string, location: string) =>
  folder === "" ? location : location.slice(folder.length + 1);

/** `articles/setup.md` is published as `articles/setup.html`, and an index as its folder. */
function pathOf(below: string, { isPlain }: DocfxSettings): string {
  const stem = below.replace(/\.(?:md|yml|json)$/i, "");
  if (/^index$/i.test(nameOf(stem))) return folderOf(stem);
  return isPlain ? stem : `${stem}.html`;
}
