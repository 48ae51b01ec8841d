import { type Block, type Body, plainSpans, type Span } from "../blocks/blocks.ts";

/** What a presentation shows at a time. */
export interface Slide {
  /** Its place in the presentation, hidden ones counted: as the programs number them. */
  number: number;
  title: readonly Span[];
  blocks: readonly Block[];
  /** What the speaker says. */
  notes: readonly Block[];
}

/** Writes a slide as a section, which links lead to by its number. */
export function writeSlide({ number, title, blocks, notes }: Slide, body: Body): void {
  const words = plainSpans(title).trim();
  if (words === "" && blocks.length === 0 && notes.length === 0) return;
  const spans = words === "" ? [{ text: `Slide ${number}` }] : title;
  body.push({ kind: "heading", level: 2, spans, id: `slide-${number}` });
  for (const block of blocks) body.push(block);
  notes.forEach((note, index) => {
    body.push(index === 0 ? labelled(note) : note);
  });
}

function labelled(note: Block): Block {
  const label: Span = { text: "Notes: " };
  if (note.kind === "paragraph" || note.kind === "item")
    return { kind: "paragraph", spans: [label, ...note.spans] };
  return note;
}

/** Where a shape is. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A share of a shape's height: what overlaps more stands beside it. */
const SAME_ROW = 0.5;

/**
 * Puts shapes in the order in which one reads them: from the top, and from the left where they stand beside each other. What
 * has no place stays behind what comes before it.
 */
export function inReadingOrder<T extends { box?: Box | undefined }>(shapes: readonly T[]): T[] {
  let last: Box = { left: 0, top: 0, width: 0, height: 0 };
  const placed = shapes.map((shape, index) => {
    last = shape.box ?? last;
    return { shape, box: last, index };
  });
  const rows: (typeof placed)[] = [];
  for (const each of placed.toSorted((a, b) => a.box.top - b.box.top || a.index - b.index)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row !== undefined && first !== undefined && standBeside(first.box, each.box)) row.push(each);
    else rows.push([each]);
  }
  return rows.flatMap((row) =>
    row
      .toSorted((a, b) => a.box.left - b.box.left || a.box.top - b.box.top || a.index - b.index)
      .map(({ shape }) => shape),
  );
}

function standBeside(a: Box, b: Box): boolean {
  const shared = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return shared > SAME_ROW * Math.min(a.height, b.height) && shared > 0;
}
