/** The footnotes of a text. Those without a label of their own are numbered as they come, and so are their marks. */
export interface RstFootnotes {
  labels: ReadonlySet<string>;
  marks: number;
  notes: number;
}

const NOTE = /^\s*\.\. \[([^\]\s]{1,60})\](?:\s|$)/;
/** Anything else in brackets is a citation, whose name is what readers see. */
const IS_FOOTNOTE = /^(?:\d{1,9}|#[\w.-]*|\*)$/;

export function findFootnotes(lines: readonly string[]): RstFootnotes {
  const labels = new Set<string>();
  let numbered = 0;
  for (const line of lines) {
    const written = NOTE.exec(line)?.[1];
    if (written === undefined || !IS_FOOTNOTE.test(written)) continue;
    labels.add(isNumbered(written) ? `note-${++numbered}` : labelOf(written));
  }
  return { labels, marks: 0, notes: 0 };
}

/** The label of a mark or a note; undefined for a citation, and for a mark without its note. */
export function footnoteLabel(
  written: string,
  kind: "marks" | "notes",
  footnotes: RstFootnotes,
): string | undefined {
  if (!IS_FOOTNOTE.test(written)) return undefined;
  const label = isNumbered(written) ? `note-${++footnotes[kind]}` : labelOf(written);
  return footnotes.labels.has(label) ? label : undefined;
}

const isNumbered = (written: string) => written === "#" || written === "*";

const labelOf = (written: string) => written.replace(/^#/, "");
