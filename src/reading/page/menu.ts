import { normalizePath } from "./page-path.ts";

/** An entry of the menu that a docs generator makes: a page, an address elsewhere, or a group of others with a label. */
export interface MenuEntry {
  label: string;
  /** The page that it leads to. */
  path?: string;
  /** Where it leads outside of the site. */
  href?: string;
  /** The language or the version of what is in it, where that is one of several: readers of another see the other's menu. */
  language?: string;
  version?: string;
  /** Stands for all pages of the source that the menu does not name: they are placed by their paths. It is no entry itself. */
  isRest?: true;
  children: MenuEntry[];
}

/** Stands at the end of a menu that names some of the pages. */
export const REST: MenuEntry = { label: "", isRest: true, children: [] };

/** The menu of one source's pages. */
export interface SourceMenu {
  sourceId: number;
  entries: MenuEntry[];
}

/** Nobody reads a menu that is deeper, and the stack is finite. */
const DEPTH_MAX = 30;

/** A menu without the entries of some pages: what is below one takes its place. */
export function withoutPages(
  entries: readonly MenuEntry[],
  paths: ReadonlySet<string>,
  depth = 0,
): MenuEntry[] {
  if (depth > DEPTH_MAX) return [];
  return entries.flatMap((entry): MenuEntry[] => {
    const children = withoutPages(entry.children, paths, depth + 1);
    const path = entry.path ?? pathOf(entry.href);
    return path !== undefined && paths.has(path) ? children : [{ ...entry, children }];
  });
}

/** The paths that a menu names, where it says that the others are placed by theirs; undefined where it names all that it shows. */
export function namedBeside(entries: readonly MenuEntry[]): ReadonlySet<string> | undefined {
  if (!entries.some(({ isRest }) => isRest === true)) return undefined;
  const named = new Set<string>();
  const visit = (level: readonly MenuEntry[], depth: number): void => {
    for (const { path, children } of depth > DEPTH_MAX ? [] : level) {
      if (path !== undefined) named.add(path);
      visit(children, depth + 1);
    }
  };
  visit(entries, 0);
  return named;
}

/** The path that a link from the site's root leads to. */
export const pathOf = (href: string | undefined) =>
  href?.startsWith("/") && !href.startsWith("//") ? normalizePath(href) : undefined;
