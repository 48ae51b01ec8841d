const NOTE = /^ {0,3}\[\^([^\][\s]{1,100})\]:[ \t]*(.*)$/;
const MARK = /\[\^([^\][\s]{1,100})\]/g;

/** The label of the footnote that begins on a line, and the words behind it. */
export function readNote(line: string): { label: string; words: string } | undefined {
  const [, label, words] = NOTE.exec(line) ?? [];
  return label === undefined || words === undefined ? undefined : { label, words };
}

/** Where a text names footnotes. */
export const footnoteMarks = (text: string) =>
  Array.from(text.matchAll(MARK), ({ 0: mark, 1: label = "", index }) => ({
    label,
    start: index,
    end: index + mark.length,
  }));
