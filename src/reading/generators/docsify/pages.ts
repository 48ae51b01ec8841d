import type { DocsPage, LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import type { DocsifySettings } from "./settings.ts";

/** A page with the address that Docsify knows it by: "/guide/" for the README of a folder. */
export interface ShownPage extends DocsPage {
  route: string;
}

/** The pages of a site, and how its addresses lead to them. */
export interface SitePages {
  pages: ShownPage[];
  leftOut: LeftOut[];
  redirects: { from: string; to: string }[];
  byLocation: ReadonlyMap<string, ShownPage>;
  /** The file that an address shows; undefined where it is none of the site's. */
  fileAt(route: string): string | undefined;
  /** The address elsewhere that an address of the site shows, where an alias says so. */
  elsewhereAt(route: string): string | undefined;
}

const ALIASES_DEEP_MAX = 10;
const ROUTE_CHARACTERS_MAX = 500;
const WITH_HOST = /:|\/{2}/;

/** Finds the pages: every file can be shown that has the extension of pages. */
export function findPages(tree: DocsTree, settings: DocsifySettings): SitePages {
  const { folder, extension, homepage, aliases } = settings;
  const fileAt = (route: string) => locate(tree, settings, route);
  const parts = partsOf(tree, settings);
  const byLocation = new Map<string, ShownPage>();
  const leftOut: LeftOut[] = [];
  const home = fileAt("/");
  for (const location of tree.below(folder)) {
    if (!location.endsWith(extension)) continue;
    const part = parts.get(location);
    const below = folder === "" ? location : location.slice(folder.length + 1);
    if (below.split("/").includes("node_modules")) continue;
    const route = location === home ? "/" : routeOf(below, extension);
    if (part !== undefined) leftOut.push({ location, detail: part });
    else if (fileAt(route) === location)
      byLocation.set(location, { location, route, path: trimSlashes(route) });
    else {
      const why = route === "/" ? `the first page is ${homepage}` : "an alias puts another page in its place";
      leftOut.push({ location, detail: `is shown at no address: ${why}` });
    }
  }
  addCover(settings, byLocation, leftOut, tree);
  const redirects: SitePages["redirects"] = [];
  for (const { from } of aliases) {
    const location = from === undefined ? undefined : fileAt(from);
    if (from === undefined || location === undefined || parts.has(location)) continue;
    const page = byLocation.get(location);
    if (page !== undefined && page.path !== trimSlashes(from))
      redirects.push({ from: trimSlashes(from), to: `/${page.path}` });
    if (page !== undefined) continue;
    byLocation.set(location, { location, route: from, path: trimSlashes(from) });
  }
  const pages = [...byLocation.values()];
  const shown = leftOut.filter(({ location }) => !byLocation.has(location));
  const elsewhereAt = (route: string) => /^https?:\/\/\S+$/.exec(withAliases(settings, route))?.[0];
  return { pages, leftOut: shown, redirects, byLocation, fileAt, elsewhereAt };
}

/** Where there is no first page, what is shown above it is all that there is. */
function addCover(
  settings: DocsifySettings,
  byLocation: Map<string, ShownPage>,
  leftOut: LeftOut[],
  tree: DocsTree,
): void {
  const name = settings.covers.get("/");
  const location = name === undefined ? undefined : resolveLocation(settings.folder, name);
  const hasHome = [...byLocation.values()].some(({ path }) => path === "");
  if (location === undefined || hasHome || !tree.has(location)) return;
  byLocation.set(location, { location, route: "/", path: "" });
  const at = leftOut.findIndex((each) => each.location === location);
  if (at >= 0) leftOut.splice(at, 1);
}

function routeOf(below: string, extension: string): string {
  const isReadme = nameOf(below) === `README${extension}`;
  const folder = folderOf(below);
  if (isReadme) return folder === "" ? "/" : `/${folder}/`;
  return `/${below.slice(0, -extension.length)}`;
}

/** Files that are shown beside pages, each with why it is no page. */
function partsOf(tree: DocsTree, settings: DocsifySettings): ReadonlyMap<string, string> {
  const { sidebar, navbar, notFound, covers, folder } = settings;
  const roles = new Map<string, string>();
  if (notFound !== undefined) roles.set(nameOf(notFound), "is shown where there is no page");
  if (navbar !== undefined) roles.set(nameOf(navbar), "is a menu");
  if (sidebar !== undefined) roles.set(nameOf(sidebar), "is a menu");
  for (const file of covers.values()) roles.set(nameOf(file), "is shown above a page");
  const found = new Map<string, string>();
  for (const location of tree.below(folder)) {
    const role = roles.get(nameOf(location));
    if (role !== undefined) found.set(location, role);
  }
  return found;
}

function locate(tree: DocsTree, settings: DocsifySettings, written: string): string | undefined {
  const { folder, extension, homepage } = settings;
  const aliased = withAliases(settings, written.slice(0, ROUTE_CHARACTERS_MAX));
  const [route = ""] = aliased.split(/[?#]/, 1);
  const isFile = route.endsWith(extension) || route.endsWith(".html");
  const file = isFile ? route : route.endsWith("/") ? `${route}README${extension}` : route + extension;
  const name = file === `/README${extension}` ? homepage : file;
  if (WITH_HOST.test(name)) return undefined;
  const place = resolveLocation("", clipped(name));
  const location = place === undefined ? undefined : joinLocation(folder, place);
  return location !== undefined && tree.has(location) ? location : undefined;
}

/** A browser goes no further up than to the root. */
export function clipped(route: string): string {
  const names: string[] = [];
  for (const name of route.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && name !== "") names.push(name);
  }
  return names.join("/") + (/(?:^|\/)\.{0,2}$/.test(route) && names.length > 0 ? "/" : "");
}

function withAliases({ aliases }: DocsifySettings, route: string): string {
  let at = route;
  let last: string | undefined;
  for (let depth = 0; depth < ALIASES_DEEP_MAX; depth++) {
    const alias = at === last ? undefined : aliases.find(({ pattern }) => pattern.test(at));
    if (alias === undefined) break;
    last = at;
    at = at.replace(alias.pattern, alias.target);
  }
  return at;
}

export const trimSlashes = (route: string) => route.replace(/^\/+|\/+$/g, "");
