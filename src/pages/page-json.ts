import { isoTime } from "../lib/iso-time.ts";
import type { InventoryEntry, InventoryPage } from "./inventory.ts";

/** A page as a list of the admin API shows it. */
export function inventoryEntryJson(entry: InventoryEntry) {
  const { path, title, version, language, source, location, hidden, passages, updatedAt } = entry;
  return {
    path,
    title,
    version,
    language,
    source,
    location,
    hidden,
    passages,
    updatedAt: isoTime(updatedAt),
  };
}

/** A page with its passages. */
export function inventoryPageJson(page: InventoryPage) {
  const { description, tags, groups, content } = page;
  return {
    ...inventoryEntryJson(page),
    description: description ?? null,
    tags,
    groups,
    content: content.map(({ headings, anchor, markdown, tokens, hasVector }) => ({
      headings,
      anchor,
      markdown,
      tokens,
      hasVector,
    })),
  };
}
