import type { Authored } from "../../../markdown/kept-words/kept-words.ts";
import { isSkipped, type Skipped, type SourceItem } from "../../source-reader.ts";
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
  const take = async (isNow: boolean): Promise<Listed> => {
    const listed = await items.next();
    if (listed.done === true || isSkipped(listed.value)) return listed;
    return { value: elsewhere(listed.value, open, { onMade: ahead, isNow }) };
  };
  const ahead = () => {
    next ??= take(true);
    next.catch(() => {});
  };
  try {
    for (;;) {
      const listed = await (next ?? take(false));
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
  onMade?(): void;
  /** It is made before it is asked for. */
  isNow?: boolean;
}

/** The same page, made elsewhere where it is made Markdown when it is read. */
export function elsewhere(
  item: SourceItem,
  open: OpenTree,
  { alone, onMade, isNow = false }: Elsewhere = {},
): SourceItem {
  const { location, path, plain, validator } = item;
  if (plain === undefined) return item;
  const faults: string[] = [];
  let authored: Authored | undefined;
  const make = () => open.read({ location, path, alone }, plain);
  // What has a validator may not be asked for.
  let begun: Promise<MadePage> | undefined = isNow && validator === undefined ? make() : undefined;
  begun?.catch(() => {});
  return {
    ...item,
    faults,
    authored: () => authored,
    async read() {
      const making = begun ?? make();
      begun = undefined;
      const made = await making;
      authored = made.authored;
      faults.splice(0, faults.length, ...made.faults);
      onMade?.();
      return made.content;
    },
  };
}
