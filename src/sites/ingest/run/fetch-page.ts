import { AppError } from "@docent/kernel/errors";
import type { Parsing, Skipped, SourceItem } from "@docent/reading/source-reader";
import { revisionsOf } from "./memory.ts";
import { hashOf, isReadAsNow } from "./page-hash.ts";
import type { Pass } from "./pass.ts";
import { skipped, type Verdict } from "./verdict.ts";

/** A page's file as its source has it now. */
export interface FetchedPage {
  item: SourceItem;
  content: Uint8Array;
  contentHash: string;
}

/** Fetches the file of a page; a page that cannot be had now stays as it was. */
export async function fetchPage(pass: Pass, item: SourceItem): Promise<FetchedPage | Verdict> {
  let content: Uint8Array;
  try {
    content = await item.read(parsingOf(pass));
  } catch (error) {
    return skipped(unread(item, error));
  }
  return { item, content, contentHash: hashOf(content, item, pass.reading) };
}

/** How the pages of a pass are parsed. */
const parsingOf = (pass: Pass): Parsing => ({
  anchors: pass.reading.anchors,
  mayBeHeld(item) {
    const { visible, staged } = revisionsOf(pass, item.path);
    return [visible, staged].some((page) => page && isReadAsNow(page.contentHash, item, pass.reading));
  },
});

/** Keeps a page that cannot be read now: readers still see what was there. */
function unread({ location, found, path, rule }: SourceItem, error: unknown): Skipped {
  if (!(error instanceof AppError)) throw error;
  return { location, found, reason: "failed", detail: error.message, keeps: { path }, rule };
}
