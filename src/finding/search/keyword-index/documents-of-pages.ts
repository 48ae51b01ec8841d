import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Segment } from "./segment/segment.ts";

const DOCUMENTS_AT_ONCE = 50_000;

/** A segment with those of its documents that readers may find. */
export interface AllowedDocuments {
  /** 1 for each of them. */
  allowed: Uint8Array;
  count: number;
  /** How many terms they have together. */
  terms: number;
}

/** The documents of a segment that belong to these pages. */
export async function documentsOfPages(
  { size, pageIds, lengths }: Segment,
  pages: ReadonlySet<number>,
): Promise<AllowedDocuments> {
  const allowed = new Uint8Array(size);
  let count = 0;
  let terms = 0;
  // A page's passages stand together, so each page is looked up once.
  let page = Number.NaN;
  let isAllowed = false;
  for (let document = 0; document < size; document++) {
    const own = pageIds[document] ?? 0;
    if (own !== page) {
      page = own;
      isAllowed = pages.has(own);
    }
    if (isAllowed) {
      allowed[document] = 1;
      count++;
      terms += lengths[document] ?? 0;
    }
    if (document % DOCUMENTS_AT_ONCE === DOCUMENTS_AT_ONCE - 1) await letOthersRun();
  }
  return { allowed, count, terms };
}
