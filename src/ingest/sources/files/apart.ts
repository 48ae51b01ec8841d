import type { Authored } from "../../../markdown/kept-words/kept-words.ts";
import { isSkipped, type Skipped, type SourceItem } from "../../source-reader.ts";
import type { OpenTree, PageOfTree } from "./tree-file.ts";

/** The same items, of which those that are made Markdown when they are read are made elsewhere. */
export async function* madeElsewhere(
  items: AsyncIterable<SourceItem | Skipped>,
  open: OpenTree,
): AsyncGenerator<SourceItem | Skipped> {
  try {
    for await (const item of items) yield isSkipped(item) ? item : elsewhere(item, open);
  } finally {
    open.end();
  }
}

/** The same page, made elsewhere where it is made Markdown when it is read: `alone` where no other file belongs to it. */
export function elsewhere(item: SourceItem, open: OpenTree, alone?: PageOfTree["alone"]): SourceItem {
  const { location, path, plain } = item;
  if (plain === undefined) return item;
  const faults: string[] = [];
  let authored: Authored | undefined;
  return {
    ...item,
    faults,
    authored: () => authored,
    async read() {
      const made = await open.read({ location, path, alone }, plain);
      authored = made.authored;
      faults.splice(0, faults.length, ...made.faults);
      return made.content;
    },
  };
}
