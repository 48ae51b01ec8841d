/** The opening line of a fenced code block. */
export interface FenceOpening {
  character: string;
  length: number;
  indent: number;
  info: string;
}

const HTML_BLOCK_NAMES = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);

/** How far a line is indented, in columns: a tab goes on to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** The fence that a line opens, if it opens one. */
export function fenceOpening(line: string): FenceOpening | undefined {
  const found = /^[ \t]*(`{3,}|~{3,})/.exec(line);
  const run = found?.[1];
  if (found === null || run === undefined) return undefined;
  const info = line.slice(found[0].length).trim();
  const character = run.charAt(0);
  if (character === "`" && info.includes("`")) return undefined;
  return { character, length: run.length, indent: indentOf(line), info };
}

/** Whether a line closes the fence that is open. */
export function closesFence(line: string, fence: FenceOpening): boolean {
  const text = line.trim();
  const deepest = fence.indent < 4 ? 3 : fence.indent + 3;
  return text.length >= fence.length && indentOf(line) <= deepest && isRunOf(text, fence.character);
}

/** The level and the source of an ATX heading. */
export function atxHeading(line: string): { level: number; text: string } | undefined {
  const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (marks === null) return undefined;
  const text = line.slice(marks[0].length).trim();
  return { level: marks[1]?.length ?? 1, text: withoutClosingMarks(text) };
}

function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "#") end -= 1;
  if (end === 0) return "";
  const before = text.charAt(end - 1);
  return before === " " || before === "\t" ? text.slice(0, end).trimEnd() : text;
}

/** The level that a line under a paragraph makes of it, if it is an underline. */
export function setextLevel(line: string): 1 | 2 | undefined {
  const text = line.trim();
  if (indentOf(line) > 3 || text === "") return undefined;
  if (isRunOf(text, "=")) return 1;
  return isRunOf(text, "-") ? 2 : undefined;
}

/** Whether a line is a thematic break. */
export function isRule(line: string): boolean {
  const character = line.trimStart().charAt(0);
  if (character === "" || !"-*_".includes(character) || indentOf(line) > 3) return false;
  const text = line.replace(/[ \t]/g, "");
  return text.length >= 3 && isRunOf(text, character);
}

/** The list marker that a line begins with: the column of its content, and whether it may end a paragraph. */
export function listMarker(line: string): { contentIndent: number; interrupts: boolean } | undefined {
  const found = /^( {0,3})([-*+]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(line);
  if (found === null) return undefined;
  const rest = line.slice(found[0].length);
  const empty = rest.trim() === "";
  const spaces = indentOf(rest);
  const gap = empty || spaces > 4 ? 1 : spaces;
  const first = found[3] === undefined || Number(found[3]) === 1;
  return { contentIndent: found[0].length + gap, interrupts: first && !empty };
}

/** Whether a line is the second line of a table. */
export function isTableDelimiter(line: string): boolean {
  const text = line.trim();
  return text.includes("-") && /^[|:\- \t]+$/.test(text) && (text.includes("|") || text.includes(":"));
}

/** How an HTML block that starts on a line ends: at a text, or at a blank line (""). */
export function htmlBlockEnd(line: string, insideParagraph: boolean): string | undefined {
  if (indentOf(line) > 3) return undefined;
  const text = line.trimStart();
  if (!text.startsWith("<")) return undefined;
  if (text.startsWith("<!--")) return "-->";
  if (text.startsWith("<?")) return "?>";
  if (text.startsWith("<![CDATA[")) return "]]>";
  if (/^<![A-Za-z]/.test(text)) return ">";
  const name = /^<\/?([A-Za-z][A-Za-z0-9-]{0,60})(?=[ \t/>]|$)/.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  if (["script", "pre", "style", "textarea"].includes(name)) return text.startsWith("</") ? "" : `</${name}>`;
  if (HTML_BLOCK_NAMES.has(name)) return "";
  return insideParagraph || !isLoneTag(text) ? undefined : "";
}

function isLoneTag(text: string): boolean {
  const line = text.trimEnd();
  return line.length < 2_000 && line.endsWith(">") && line.indexOf(">") === line.length - 1;
}

function isRunOf(text: string, character: string): boolean {
  for (const each of text) if (each !== character) return false;
  return text !== "";
}
