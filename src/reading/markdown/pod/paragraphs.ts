/** What a page in POD is made of. */
export type Paragraph =
  | { kind: "command"; name: string; text: string }
  | { kind: "text"; text: string }
  /** Lines that stay as they are. */
  | { kind: "verbatim"; text: string };

const COMMAND = /^=([A-Za-z]\w*)[ \t]*([\s\S]*)$/;

/** The paragraphs of a page, without the program around them, and without what is for other readers than people. */
export function readParagraphs(source: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  /** Formats that were begun and are left out, the innermost last. */
  const skipped: string[] = [];
  let isPod = false;
  for (const text of piecesOf(source)) {
    const [, name = "", words = ""] = COMMAND.exec(text) ?? [];
    if (name !== "") isPod = name !== "cut";
    if (!isPod || name === "cut" || name === "pod" || name === "encoding") continue;
    const [format = "", ...rest] = words.trim().split(/\s+/);
    if (name === "begin" && (skipped.length > 0 || !isForPeople(format))) skipped.push(format);
    else if (name === "end" && skipped.at(-1) === format) skipped.pop();
    else if (skipped.length > 0 || name === "begin" || name === "end") continue;
    else if (name === "for") {
      if (isForPeople(format)) paragraphs.push({ kind: "text", text: rest.join(" ") });
    } else if (name !== "") paragraphs.push({ kind: "command", name, text: words });
    else addPlain(paragraphs, text);
  }
  return paragraphs;
}

/** `:html` is POD that only that format has; a Raku page begins with `=begin pod`. */
const isForPeople = (format: string) => format.startsWith(":") || format === "pod";

/** What stands between empty lines. A command is one whatever it stands below. */
function* piecesOf(source: string): Generator<string> {
  let lines: string[] = [];
  for (const line of source.split("\n")) {
    if (line.trim() !== "") {
      lines.push(line);
      continue;
    }
    if (lines.length > 0) yield lines.join("\n");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("\n");
}

function addPlain(paragraphs: Paragraph[], text: string): void {
  const last = paragraphs.at(-1);
  if (!/^[ \t]/.test(text)) paragraphs.push({ kind: "text", text });
  else if (last?.kind === "verbatim") last.text += `\n\n${text}`;
  else paragraphs.push({ kind: "verbatim", text });
}
