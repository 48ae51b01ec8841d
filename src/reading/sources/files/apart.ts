import type { Authored } from "../../markdown/kept-words/kept-words.ts";
import {
  isSkipped,
  type Parsing,
  type ReadWords,
  type Skipped,
  type SourceItem,
} from "../../source-reader.ts";
import type { MadePage, OpenTree, PageOfTree } from "./tree-file.ts";

type Listed = IteratorResult<SourceItem | Skipped, unknown>;

/**
 * The same items, of which those that are made Markdown when they are read are made elsewhere. While one is read, the next is
 * made: only when it is known of the one before what could not be read for it.
 */
export async function* madeElsewhere(
  items: AsyncGenerator<SourceItem | Skipped>,
  open: OpenTree,
): AsyncGenerator<SourceItem | Skipped> {
  let next: Promise<Listed> | undefined;
  const take = async (before?: { parsing: Parsing | undefined }): Promise<Listed> => {
    const listed = await items.next();
    if (listed.done === true || isSkipped(listed.value)) return listed;
    return { value: elsewhere(listed.value, open, { onMade: ahead, before }) };
  };
  const ahead = (parsing: Parsing | undefined) => {
    next ??= take({ parsing });
    next.catch(() => {});
  };
  try {
    for (;;) {
      const listed = await (next ?? take());
      next = undefined;
      if (listed.done === true) return;
      yield listed.value;
    }
  } finally {
    open.end();
    await items.return(undefined);
  }
}

interface Elsewhere {
  /** Where the tree does not hold its file, and no other file belongs to it. */
  alone?: PageOfTree["alone"];
  onMade?(parsing: Parsing | undefined): void;
  /** The page before it was made: it is made as that was, before it is asked for. */
  before?: { parsing: Parsing | undefined } | undefined;
}

/** The same page, made elsewhere where it is made Markdown when it is read. */
export function elsewhere(
  item: SourceItem,
  open: OpenTree,
  { alone, onMade, before }: Elsewhere = {},
): SourceItem {
  const { location, path, plain, validator } = item;
  if (plain === undefined) return item;
  const faults: string[] = [];
  let authored: Authored | undefined;
  let parsed: ReadWords | undefined;
  const make = (parsing: Parsing | undefined) => {
    const anchors = parsing?.mayBeHeld(item) === false ? parsing.anchors : undefined;
    return open.read({ location, path, anchors, alone }, plain);
  };
  // What has a validator may not be asked for.
  let begun: Promise<MadePage> | undefined =
    before !== undefined && validator === undefined ? make(before.parsing) : undefined;
  begun?.catch(() => {});
  return {
    ...item,
    faults,
    authored: () => authored,
    parsed: () => parsed,
    async read(parsing) {
      const making = begun ?? make(parsing);
      begun = undefined;
      const made = await making;
      ({ authored, parsed } = made);
      faults.splice(0, faults.length, ...made.faults);
      onMade?.(parsing);
      return made.content;
    },
  };
}
