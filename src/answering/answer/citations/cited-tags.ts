/** A tag that cites, at the start of a text: its length, and the text that names numbers. */
export interface CitedTag {
  length: number;
  inside: string;
}

/** Longer ones are no tags that cite. */
export const CITED_TAG_CHARACTERS_MAX = 120;
/** `<co>1</co>` and its like (Granite, Phi). */
const WHOLE = /^<(co|cite|citation|ref|source|passage|doc)>\s*([^<>\n]{1,40}?)\s*<\/\1>/i;
/** `<co: 1>words</co: 1>` (Command R): the end cites. */
const OPENING = /^<co:\s*[\d,\s]{1,20}>/i;
const CLOSING = /^<\/co:\s*([\d,\s]{1,20})>/i;
/** Granite. */
const RECORD = /^<\|start_of_cite\|>\s*\{[^{}\n]{0,60}?"document_id"\s*:\s*"?(\d{1,3})"?[^{}\n]{0,40}\}/i;
const RECORD_END = /^<\|end_of_cite\|>/i;
const BEGUN = [
  /^<(?:c|ci|cit|cita|citat|citati|citatio|citation|co|cite|r|re|ref|s|so|sou|sour|sourc|source|p|pa|pas|pass|passa|passag|passage|d|do|doc)$/i,
  /^<(?:co|cite|citation|ref|source|passage|doc)>[^<>\n]{0,42}(?:<\/?[a-z]{0,8})?$/i,
  /^<\/(?:c|co|co:[\d,\s]{0,20})?$/i,
  /^<co:[\d,\s]{0,20}$/i,
  /^<\|start_of_cite\|>\s*(?:\{[^{}\n]{0,110})?$/i,
];
const MARKS = ["<|start_of_cite|>", "<|end_of_cite|>"];

/** The tag that cites at the start of a text; "undecided" while it may still become one. */
export function citedTagAt(text: string): CitedTag | "undecided" | undefined {
  const whole = WHOLE.exec(text);
  if (whole !== null) return { length: whole[0].length, inside: whole[2] ?? "" };
  const open = OPENING.exec(text) ?? RECORD_END.exec(text);
  if (open !== null) return { length: open[0].length, inside: "" };
  const cited = CLOSING.exec(text) ?? RECORD.exec(text);
  if (cited !== null) return { length: cited[0].length, inside: cited[1] ?? "" };
  if (text.length > CITED_TAG_CHARACTERS_MAX) return undefined;
  const isBegun =
    BEGUN.some((each) => each.test(text)) || MARKS.some((mark) => mark.startsWith(text.toLowerCase()));
  return isBegun ? "undecided" : undefined;
}
