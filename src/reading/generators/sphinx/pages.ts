import type { LeftOut } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import type { SphinxSettings } from "./settings.ts";

export interface SphinxPage {
  location: string;
  path: string;
  /** What other pages call it: its location below the root, without its extension. */
  name: string;
  format: "rst" | "myst" | "notebook";
}

const OFTEN_PAGES = /\.(?:rst|md|ipynb)$/i;

/** The published pages, and the files that are not. */
export function findPages(
  tree: DocsTree,
  settings: SphinxSettings,
): { pages: SphinxPage[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const byName = new Map<string, SphinxPage & { rank: number }>();
  const suffixes = [...settings.suffixes];
  for (const location of tree.below(settings.root)) {
    const below = settings.root === "" ? location : location.slice(settings.root.length + 1);
    const rank = suffixes.findIndex(([suffix]) => below.endsWith(suffix));
    const suffix = suffixes[rank];
    if (suffix === undefined || settings.isExcluded(below)) {
      if (OFTEN_PAGES.test(below) && !/(?:^|\/)[._]/.test(below))
        leftOut.push({
          location,
          detail: suffix === undefined ? "has no extension of a page" : "is left out by the configuration",
        });
      continue;
    }
    const name = below.slice(0, -suffix[0].length);
    const other = byName.get(name);
    const page = { location, path: addressOf(name, settings), name, format: suffix[1], rank };
    if (other === undefined || rank < other.rank) byName.set(name, page);
    const loser = other === undefined ? undefined : rank < other.rank ? other.location : location;
    if (loser !== undefined) leftOut.push({ location: loser, detail: `is another file of the page ${name}` });
  }
  const pages = [...byName.values()].map(({ rank: _, ...page }) => page);
  return { pages, leftOut };
}

export function addressOf(
  name: string,
  { usesFolders, htmlSuffix, keepsIndex = false }: SphinxSettings,
): string {
  const isFolder = keepsIndex ? name === "index" : /(?:^|\/)index$/.test(name);
  const folder = isFolder ? name.replace(/\/?index$/, "") : undefined;
  if (folder !== undefined && (usesFolders || htmlSuffix === ".html")) return folder;
  return usesFolders ? name : `${name}${htmlSuffix}`;
}
