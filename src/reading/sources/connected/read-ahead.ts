import type { Skipped, SourceItem } from "../../source-reader.ts";
import { isSkipped } from "../../source-reader.ts";

interface ReadAheadOptions {
  /** How many pages are being read at once. */
  ahead: number;
  /** Whether an item will be read, as far as that is known. */
  isWanted(item: SourceItem): boolean;
}

/** Hands items on in their order, and begins to read those that come next: a server answers while a page is stored. */
export async function* readAhead(
  items: readonly (SourceItem | Skipped)[],
  { ahead, isWanted }: ReadAheadOptions,
): AsyncGenerator<SourceItem | Skipped> {
  const begun = new Map<SourceItem, Promise<Uint8Array>>();
  let next = 0;
  const begin = () => {
    for (; begun.size < ahead && next < items.length; next++) {
      const item = items[next];
      if (item === undefined || isSkipped(item) || !isWanted(item)) continue;
      const reading = item.read();
      // Whoever reads the item hears of it.
      reading.catch(() => {});
      begun.set(item, reading);
    }
  };
  for (const [index, item] of items.entries()) {
    next = Math.max(next, index);
    begin();
    if (isSkipped(item)) yield item;
    else yield { ...item, read: () => begun.get(item) ?? item.read() };
    if (!isSkipped(item)) begun.delete(item);
  }
}
