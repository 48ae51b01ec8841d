import type { Block } from "../blocks/blocks.ts";
import { childrenOf, type XmlElement } from "../xml/xml.ts";
import type { Notes } from "./context.ts";

type Kind = "footnote" | "endnote";

/** Notes that can be read once the text has named them. */
export interface NotesToRead extends Notes {
  /** The notes that were named, by their labels, in order; those that notes name too. */
  read(): ReadonlyMap<string, readonly Block[]>;
}

const NOTES_MAX = 10_000;

/** Labels notes in the order in which the text names them. */
export function createNotes(
  notes: Record<Kind, ReadonlyMap<string, XmlElement>>,
  readBlocks: (kind: Kind, elements: readonly XmlElement[]) => Block[],
): NotesToRead {
  const named = new Map<string, { label: string; kind: Kind; note: XmlElement }>();
  const counts: Record<Kind, number> = { footnote: 0, endnote: 0 };
  return {
    labelOf(kind, id) {
      const key = `${kind} ${id}`;
      const known = named.get(key);
      if (known !== undefined) return known.label;
      const note = notes[kind].get(id);
      if (note === undefined || named.size >= NOTES_MAX) return undefined;
      counts[kind] += 1;
      const label = kind === "footnote" ? `${counts.footnote}` : `end-${counts.endnote}`;
      named.set(key, { label, kind, note });
      return label;
    },
    read() {
      const blocks = new Map<string, readonly Block[]>();
      // A map hands over what is added to it meanwhile as well.
      for (const { label, kind, note } of named.values())
        blocks.set(label, readBlocks(kind, childrenOf(note)));
      return blocks;
    },
  };
}
