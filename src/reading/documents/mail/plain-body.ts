import { textToMarkdown } from "../../markdown/txt.ts";

const QUOTE_DEPTH_MAX = 8;

/** A line of a mail without its marks, and how deep it is quoted. */
interface Line {
  words: string;
  depth: number;
}

/** The text of a mail as Markdown: lines behind `>` are quotes, and the signature is a paragraph as others are. */
export function plainBody(text: string, { isFlowed = false, deletesSpace = false } = {}): string {
  const lines = withoutSignatures(text.replace(/\r\n?/g, "\n"))
    .split("\n")
    .map((line) => readLine(line, isFlowed));
  return writeLines(isFlowed ? joinFlowed(lines, deletesSpace) : lines, 0);
}

/** What OpenPGP puts around a signed text. */
function withoutSignatures(text: string): string {
  const begin = text.indexOf("-----BEGIN PGP SIGNED MESSAGE-----");
  if (begin < 0) return text;
  const body = text.indexOf("\n\n", begin);
  const end = text.indexOf("\n-----BEGIN PGP SIGNATURE-----", body);
  if (body < 0 || end < 0) return text;
  const after = text.indexOf("-----END PGP SIGNATURE-----", end);
  const rest = after < 0 ? "" : text.slice(after + 27);
  return text.slice(0, begin) + text.slice(body + 2, end).replace(/^- /gm, "") + rest;
}

function readLine(line: string, isFlowed: boolean): Line {
  const marks = isFlowed ? /^>*/.exec(line)?.[0] : /^ {0,1}(?:> ?){1,50}/.exec(line)?.[0];
  const depth = (marks ?? "").replaceAll(/[^>]/g, "").length;
  const words = line.slice(marks?.length ?? 0);
  // A space before the words protects a line that begins as quotes do.
  return { words: isFlowed ? words.replace(/^ /, "") : words, depth: Math.min(depth, QUOTE_DEPTH_MAX) };
}

/** Joins the lines of a paragraph: those that end with a space go on, but for the mark of a signature. */
function joinFlowed(lines: Line[], deletesSpace: boolean): Line[] {
  const joined: Line[] = [];
  let parts: string[] = [];
  let open: Line | undefined;
  const flush = () => {
    if (open !== undefined) joined.push({ depth: open.depth, words: parts.join("") });
    open = undefined;
    parts = [];
  };
  for (const line of lines) {
    if (open !== undefined && open.depth !== line.depth) flush();
    open ??= line;
    const goesOn = line.words.endsWith(" ") && line.words !== "-- ";
    parts.push(goesOn && deletesSpace ? line.words.slice(0, -1) : line.words);
    if (!goesOn) flush();
  }
  flush();
  // Paragraphs end where lines do: Markdown needs a blank line to see that.
  return joined.flatMap((line) => (line.words.length > 80 ? [line, { ...line, words: "" }] : [line]));
}

function writeLines(lines: Line[], depth: number): string {
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const isQuote = (lines[at]?.depth ?? 0) > depth;
    let end = at + 1;
    while (end < lines.length && (lines[end]?.depth ?? 0) > depth === isQuote) end += 1;
    const run = lines.slice(at, end);
    blocks.push(isQuote ? quoted(writeLines(run, depth + 1)) : writeWords(run));
    at = end;
  }
  return blocks.filter((block) => block.trim() !== "").join("\n\n");
}

/** Words, in which the line above a signature is a blank one. */
const writeWords = (lines: Line[]) =>
  textToMarkdown(lines.map(({ words }) => (/^-- ?$/.test(words) ? "" : words)).join("\n")).trim();

const quoted = (markdown: string) => markdown.replace(/^.*$/gm, (line) => (line === "" ? ">" : `> ${line}`));
