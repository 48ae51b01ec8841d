import { asNumber, asRecord, asText } from "../../text/json.ts";
import type { MenuEntry } from "../docs-site.ts";
import type { EleventyPage } from "./pages.ts";

const DEPTH_MAX = 20;

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
  return entriesBelow(
    undefined,
    Map.groupBy(entries, ({ parent }) => parent),
    0,
  );
}

function entriesBelow(
  parent: string | undefined,
  byParent: ReadonlyMap<string | undefined, readonly Entry[]>,
  depth: number,
): MenuEntry[] {
  if (depth > DEPTH_MAX) return [];
  return (byParent.get(parent) ?? []).toSorted(inOrder).map(({ key, label, page, url }) => ({
    label,
    ...(url === undefined ? { path: page.path } : { href: url }),
    children: key === undefined ? [] : entriesBelow(key, byParent, depth + 1),
  }));
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
