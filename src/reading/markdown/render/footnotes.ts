import { footnoteMarks, readNote } from "../footnote-marks.ts";
import type { Block } from "../md/md.ts";
import { escapeHtml } from "./tags.ts";

const FOOTNOTES_MAX = 1000;

/** The footnotes of a page, by their labels: each with its Markdown. */
export type Footnotes = ReadonlyMap<string, string>;

/** Takes the footnotes out of a page's lines, which keep their number; those in code are none. */
export function takeFootnotes(lines: Array<string | undefined>, blocks: readonly Block[]): Footnotes {
  const footnotes = new Map<string, string>();
  for (const { kind, startLine, endLine } of blocks) {
    if (kind !== "paragraph") continue;
    for (let at = startLine - 1; at < endLine; at++) {
      const begun = readNote(lines[at] ?? "");
      if (begun === undefined || footnotes.size >= FOOTNOTES_MAX) continue;
      const { label, words } = begun;
      const end = endOfNote(lines, at + 1, endLine);
      const inside = lines.slice(at + 1, end).map((line = "") => line.replace(/^(?: {1,4}|\t)/, ""));
      if (!footnotes.has(label)) footnotes.set(label, [words, ...inside].join("\n").trim());
      lines.fill("", at, end);
      at = end - 1;
    }
  }
  return footnotes;
}

/** A note goes on to the end of its paragraph, and with what is indented behind it. */
function endOfNote(lines: readonly (string | undefined)[], start: number, paragraphEnd: number): number {
  let end = start;
  while (end < paragraphEnd && readNote(lines[end] ?? "") === undefined) end++;
  if (end < paragraphEnd) return end;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (!/^(?: {4}|\t)/.test(line)) break;
    end = at + 1;
  }
  return end;
}

/** Numbers the footnotes of a page in the order in which they are named. Ids begin with `~`, as no heading's does. */
export function createFootnoteWriter(footnotes: Footnotes) {
  const named = new Map<string, number>();
  const isLinked = new Set<string>();

  const numberOf = (label: string) => {
    const number = named.get(label) ?? named.size + 1;
    named.set(label, number);
    return number;
  };

  function reference(label: string): string {
    const number = numberOf(label);
    const id = isLinked.has(label) ? "" : ` id="~from-${number}"`;
    isLinked.add(label);
    return `<sup class="footnote"><a${id} href="#~note-${number}">${number}</a></sup>`;
  }

  return {
    /** Writes words in which footnotes may be named. */
    withReferences(text: string, write: (words: string) => string): string {
      if (footnotes.size === 0 || !text.includes("[^")) return write(text);
      const parts: string[] = [];
      let at = 0;
      for (const { label, start, end } of footnoteMarks(text)) {
        if (!footnotes.has(label)) continue;
        parts.push(write(text.slice(at, start)), reference(label));
        at = end;
      }
      return [...parts, write(text.slice(at))].join("");
    },

    /** The notes themselves, those that nothing names behind the others. */
    notes(render: (markdown: string) => string): string {
      if (footnotes.size === 0) return "";
      for (const label of footnotes.keys()) numberOf(label);
      const items = [...named].map(([label, number]) => {
        const back = isLinked.has(label)
          ? `<a href="#~from-${number}" aria-label="${escapeHtml(String(number))}">↩</a>`
          : "";
        const note = render(footnotes.get(label) ?? "").trimEnd();
        const inside = note.endsWith("</p>") ? `${note.slice(0, -4)} ${back}</p>` : note + back;
        return `<li id="~note-${number}">${inside}</li>\n`;
      });
      return `<section class="footnotes"><ol>${items.join("")}</ol></section>\n`;
    },
  };
}
