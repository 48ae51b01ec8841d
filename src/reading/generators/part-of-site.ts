import type { MenuEntry } from "../page/menu.ts";
import type { DocsSite } from "./docs-site.ts";

/** Whether a file or folder is in a folder, or is that itself. */
export const isBelow = (location: string, folder: string) =>
  folder === "" || location === folder || location.startsWith(`${folder}/`);

/** A site with only those of its pages that are in a folder, and a menu of these. */
export function partOf(site: DocsSite, folder: string): DocsSite {
  const pages = site.pages.filter(({ location }) => isBelow(location, folder));
  if (pages.length === site.pages.length) return site;
  const paths = new Set(pages.map(({ path }) => path));
  const redirects = site.redirects.filter(({ to }) => paths.has(to.split("#", 1)[0] ?? to));
  return { ...site, pages, menu: entriesOf(site.menu, paths), redirects };
}

/** What leads elsewhere stays; what leads to no page is only a group, if anything is in it. */
function entriesOf(menu: readonly MenuEntry[], paths: ReadonlySet<string>): MenuEntry[] {
  return menu.flatMap(({ path, ...entry }): MenuEntry[] => {
    const children = entriesOf(entry.children, paths);
    if (path !== undefined && paths.has(path)) return [{ ...entry, path, children }];
    return children.length > 0 || entry.href !== undefined ? [{ ...entry, children }] : [];
  });
}
