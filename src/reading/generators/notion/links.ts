import { decodePercent } from "@docent/kernel/text/decode-percent";
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
  documentPath(location: string): string | undefined;
}

const OF_NOTION =
  /^https:\/\/(?:www\.)?(?:notion\.so|app\.notion\.com|[\w-]+\.notion\.site)\/[^?#]*?([0-9a-f]{32})(?:[?#]|$)/;
const DOCUMENT = /\.(?:pdf|do[ct][xm]|o[dt][tps]|rtf|p[po][ts][xm]|xl[st][xm]|[ct]sv|epub|eml|msg)$/i;
const PAGE_FILE = /\.(?:md|html|csv)$/i;

/** Where a link leads, if it is to a page: undefined for any other, "" for a page that is not here. */
export function linkedPath(
  { tree, byId, byLocation, files, documentPath }: Surroundings,
  page: PlacedPage,
  href: string,
): string | undefined {
  const id = OF_NOTION.exec(href)?.[1];
  const ofNotion = id === undefined ? undefined : byId.get(id);
  if (ofNotion !== undefined) return `/${ofNotion.path}`;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(href)) return undefined;
  const target = decodePercent(href.replace(/[?#].*$/s, ""));
  const location = resolveLocation(folderOf(page.location), target);
  const document = location === undefined || !DOCUMENT.test(target) ? undefined : documentPath(location);
  if (document !== undefined && tree.has(location ?? "")) return `/${encodeURI(document)}`;
  if (!PAGE_FILE.test(target)) return undefined;
  const found = byLocation.get(files.get(location ?? "") ?? "");
  return found === undefined ? "" : `/${found.path}`;
}
