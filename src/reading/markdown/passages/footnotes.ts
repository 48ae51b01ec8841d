import { outsideCode } from "@docent/kernel/text/code-spans";
import { footnoteMarks, readNote } from "../footnote-marks.ts";
import type { Block, Section } from "../md/md.ts";

const NOTES_MAX = 1_000;

/** A footnote, and the section that it is written in. */
interface Note {
  text: string;
  section: Section;
  isPlaced: boolean;
}

/**
 * Moves each footnote behind the block that names it first, and takes the marks out of the text: in a passage, a number
 * that leads to another one says nothing. What nothing names stays where it is.
 */
export function placeFootnotes(sections: readonly Section[]): Section[] {
  const notes = new Map<string, Note>();
  const without = sections.map((section) => ({
    ...section,
    blocks: section.blocks.some(hasNote) ? takeNotes(section, notes) : section.blocks,
  }));
  if (notes.size === 0) return without;
  for (const section of without) {
    const line = { kind: "heading", text: section.headingSource, startLine: section.startLine } as const;
    const [heading, ...named] = withNotes({ ...line, endLine: section.startLine }, notes);
    section.headingSource = heading?.text ?? section.headingSource;
    section.headingPath = section.headingPath.map((words) => withoutMarks(words, notes));
    section.blocks = [...named, ...section.blocks.flatMap((block) => withNotes(block, notes))];
  }
  for (const [index, section] of without.entries()) {
    const left = [...notes.values()].filter((note) => note.section === sections[index] && !note.isPlaced);
    section.blocks = [...section.blocks, ...left.map(({ text }) => asBlock(text, section.startLine))];
  }
  return without;
}

const hasNote = ({ kind, text }: Block) => kind === "paragraph" && text.includes("[^");

/** The blocks of a section that are no notes. */
function takeNotes(section: Section, notes: Map<string, Note>): Block[] {
  const kept: Block[] = [];
  let open: Note | undefined;
  for (const block of section.blocks) {
    if (open !== undefined && /^(?: {4}|\t)/.test(block.text)) {
      open.text += `\n\n${block.text.replace(/^(?: {1,4}|\t)/gm, "")}`;
      continue;
    }
    open = undefined;
    const lines: string[] = [];
    for (const line of block.kind === "paragraph" ? block.text.split("\n") : []) {
      const begun = notes.size < NOTES_MAX ? readNote(line) : undefined;
      if (begun !== undefined) {
        open = { text: begun.words, section, isPlaced: false };
        if (!notes.has(begun.label)) notes.set(begun.label, open);
      } else if (open !== undefined) open.text += `\n${line.trimStart()}`;
      else lines.push(line);
    }
    if (open === undefined) kept.push(block);
    else if (lines.length > 0) kept.push({ ...block, text: lines.join("\n") });
  }
  return kept;
}

/** A block without its marks, and the notes that it is the first to name. */
function withNotes(block: Block, notes: Map<string, Note>): Block[] {
  if (block.kind === "code" || !block.text.includes("[^")) return [block];
  const named: Note[] = [];
  const text = outsideCode(block.text, (words) => {
    let rest = "";
    let at = 0;
    for (const { label, start, end } of footnoteMarks(words)) {
      const note = notes.get(label);
      if (note === undefined) continue;
      if (!note.isPlaced) named.push(note);
      note.isPlaced = true;
      const before = words.slice(at, start).trimEnd();
      // Between two marks, a comma separates nothing any more.
      if (at === 0 || before !== ",") rest += before;
      at = end;
    }
    return rest + words.slice(at);
  });
  return [{ ...block, text }, ...named.map((note) => asBlock(note.text, block.endLine))];
}

/** The plain words of a heading. */
function withoutMarks(words: string, notes: ReadonlyMap<string, Note>): string {
  if (!words.includes("[^")) return words;
  return footnoteMarks(words)
    .filter(({ label }) => notes.has(label))
    .toReversed()
    .reduce((rest, { start, end }) => rest.slice(0, start).trimEnd() + rest.slice(end), words);
}

const asBlock = (text: string, line: number): Block => ({
  kind: "paragraph",
  text: text.trim(),
  startLine: line,
  endLine: line,
});
