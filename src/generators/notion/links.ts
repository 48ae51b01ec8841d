import { decodePercent } from "../../text/decode-percent.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import type { ExportNode } from "./export.ts";

/** A page with its address. */
export interface PlacedPage extends ExportNode {
  path: string;
}

/** What reading a page takes from its export. */
export interface Surroundings {
  tree: DocsTree;
  pages: readonly PlacedPage[];
  byLocation: ReadonlyMap<string, PlacedPage>;
  byId: ReadonlyMap<string, PlacedPage>;
  /** The page that a file belongs to, by the file's location. */
  files: ReadonlyMap<string, string>;
}

const OF_NOTION =
  /^https:\/\/(?:www\.)?(?:notion\.so|app\.notion\.com|[\w-]+\.notion\.site)\/[^?#]*?([0-9a-f]{32})(?:[?#]|$)/;
const PAGE_FILE = /\.(?:md|html|csv)$/i;

/** Where a link leads, if it is to a page: undefined for any other, "" for a page that is not here. */
export function linkedPath(
  { byId, byLocation, files }: Surroundings,
  page: PlacedPage,
  href: string,
): string | undefined {
  const id = OF_NOTION.exec(href)?.[1];
  const ofNotion = id === undefined ? undefined : byId.get(id);
  if (ofNotion !== undefined) return `/${ofNotion.path}`;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(href)) return undefined;
  const target = decodePercent(href.replace(/[?#].*$/s, ""));
  if (!PAGE_FILE.test(target)) return undefined;
  const location = resolveLocation(folderOf(page.location), target);
  const found = byLocation.get(files.get(location ?? "") ?? "");
  return found === undefined ? "" : `/${found.path}`;
}
