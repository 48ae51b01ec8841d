import type { MenuEntry } from "../../pages/navigation/menu.ts";
import { asNumber, asRecord, asText } from "../../text/json.ts";
import type { EleventyPage } from "./pages.ts";

const DEPTH_MAX = 20;
/** Many pages may have one key, and many others be below that. */
const ENTRIES_MAX = 50_000;

interface Entry {
  key: string | undefined;
  parent: string | undefined;
  label: string;
  order: number | undefined;
  isPinned: boolean;
  page: EleventyPage;
  url: string | undefined;
}

/** The menu of the plugin for navigation: pages name those above them by their keys. */
export function menuOf(pages: readonly EleventyPage[]): MenuEntry[] {
  const entries = pages.flatMap((page): Entry[] => {
    const said = asRecord(page.data["eleventyNavigation"]);
    const key = asText(said["key"]);
    const label = asText(said["title"]) ?? key;
    if (label === undefined || page.data["eleventyExcludeFromCollections"] === true) return [];
    const order =
      asNumber(said["order"]) ?? (said["order"] === undefined ? undefined : Number(said["order"]));
    const parent = asText(said["parent"]) || undefined;
    return [{ key, parent, label, order, isPinned: said["pinned"] === true, page, url: asText(said["url"]) }];
  });
  const byParent = Map.groupBy(entries, ({ parent }) => parent);
  const below = { byParent, left: ENTRIES_MAX };
  // Sites show what is below a key, be there a page that has it or not.
  const keys = new Set(entries.map(({ key }) => key));
  const orphans = [...byParent.keys()].filter((parent) => parent !== undefined && !keys.has(parent));
  const groups = orphans.map((parent) => ({ label: parent ?? "", children: entriesBelow(parent, below, 0) }));
  return [...entriesBelow(undefined, below, 0), ...groups];
}

interface Below {
  byParent: ReadonlyMap<string | undefined, readonly Entry[]>;
  /** How many entries there may still be. */
  left: number;
}

function entriesBelow(parent: string | undefined, below: Below, depth: number): MenuEntry[] {
  if (depth > DEPTH_MAX || below.left < 0) return [];
  return (below.byParent.get(parent) ?? []).toSorted(inOrder).flatMap(({ key, label, page, url }) => {
    below.left -= 1;
    if (below.left < 0) return [];
    const children = key === undefined ? [] : entriesBelow(key, below, depth + 1);
    return [{ label, ...(url === undefined ? { path: page.path } : { href: url }), children }];
  });
}

/** Pinned entries first, then those with an order, then the others as they are. */
function inOrder(a: Entry, b: Entry): number {
  if (a.isPinned && b.isPinned) return (a.order ?? 0) - (b.order ?? 0);
  const first = a.isPinned ? Number.NEGATIVE_INFINITY : a.order;
  const second = b.isPinned ? Number.NEGATIVE_INFINITY : b.order;
  if (first === undefined || second === undefined)
    return first === second ? 0 : second === undefined ? -1 : 1;
  return first - second;
}
