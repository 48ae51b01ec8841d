import {
  atxHeading,
  closesFence,
  type FenceOpening,
  fenceOpening,
  indentOf,
  isQuote,
  isRule,
  listMarker,
  setextLevel,
} from "@docent/kernel/text/markdown-lines";

/**
 * `directive` is a `:::` line, `definition` the target of a reference link, `label` a MyST name for what
 * follows: these are not words of the page.
 */
export type BlockKind =
  | "heading"
  | "paragraph"
  | "code"
  | "list"
  | "table"
  | "quote"
  | "html"
  | "comment"
  | "definition"
  | "directive"
  | "label"
  | "rule";

/** A self-contained piece of a page: never half a list item or half a code fence. */
export interface Block {
  kind: BlockKind;
  /** Markdown source; for a heading, only that of its words. */
  text: string;
  /** Counted from 1, in the Markdown that was read. */
  startLine: number;
  endLine: number;
  /** For a heading: 1 to 6. */
  level?: number;
  /** For code: the first word after the fence, in lower case. */
  language?: string;
}

interface OpenBlock {
  kind: BlockKind;
  start: number;
  fence?: FenceOpening;
  /** The text that ends an HTML block; "" stands for a blank line. */
  until?: string;
  /** For a list: the column from which a line belongs to the latest item. */
  contentIndent?: number;
  /** For a list or quote: whether the line before was blank, so that there is no lazy continuation. */
  afterBlank?: boolean;
}

const HTML_BLOCK_NAMES = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);

/** Splits Markdown into its top-level blocks, in order and in linear time. */
export function scanBlocks(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  let open: OpenBlock | undefined;
  const close = (end: number) => {
    if (open) blocks.push(finish(open, lines, end));
    open = undefined;
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (open) {
      const step = continueBlock(open, line, lines[index + 1]);
      if (step === "inside") continue;
      close(step === "last" ? index + 1 : index);
      if (step === "last") continue;
      const heading = step === "underline" ? blocks.pop() : undefined;
      if (heading) {
        blocks.push(asSetext(heading, line, index));
        continue;
      }
    }
    const single = singleLine(line, index);
    if (single) blocks.push(single);
    else open = openBlock(line, lines[index + 1], index);
    if (open?.until !== undefined && open.until !== "" && endsHtml(open, line)) close(index + 1);
  }
  close(lines.length);
  return blocks;
}

/**
 * How a line relates to the open block. `inside`: it belongs to it. `last`: it also ends it. `outside`: it
 * begins something else.
 */
type Step = "inside" | "last" | "outside" | "underline";

function continueBlock(open: OpenBlock, line: string, next: string | undefined): Step {
  if (open.fence) return closesFence(line, open.fence) ? "last" : "inside";
  if (open.kind === "html" || open.kind === "comment") return continueHtml(open, line);
  const blank = line.trim() === "";
  if (open.kind === "code") return blank || indentOf(line) > 3 ? "inside" : "outside";
  if (open.kind === "list") return continueList(open, line, blank);
  if (blank) return "outside";
  if (open.kind === "quote") {
    return line.trimStart().startsWith(">") || !interruptsParagraph(line) ? "inside" : "outside";
  }
  if (open.kind === "paragraph") {
    if (setextLevel(line) !== undefined) return "underline";
    if (startsTable(line, next)) return "outside";
  }
  return interruptsParagraph(line) ? "outside" : "inside";
}

function continueHtml(open: OpenBlock, line: string): Step {
  if (open.until === "") return line.trim() === "" ? "outside" : "inside";
  return endsHtml(open, line) ? "last" : "inside";
}

function endsHtml(open: OpenBlock, line: string): boolean {
  return open.until !== undefined && line.toLowerCase().includes(open.until.toLowerCase());
}

function continueList(open: OpenBlock, line: string, blank: boolean): Step {
  const afterBlank = open.afterBlank === true;
  open.afterBlank = blank;
  if (blank || indentOf(line) >= (open.contentIndent ?? 0)) return "inside";
  const marker = isRule(line) ? undefined : listMarker(line);
  if (marker) {
    open.contentIndent = marker.contentIndent;
    return "inside";
  }
  return afterBlank || interruptsParagraph(line) ? "outside" : "inside";
}

function interruptsParagraph(line: string): boolean {
  if (indentOf(line) > 3) return false;
  return (
    atxHeading(line) !== undefined ||
    fenceOpening(line) !== undefined ||
    isRule(line) ||
    isQuote(line) ||
    isDirective(line) ||
    isLabel(line) ||
    listMarker(line)?.interrupts === true ||
    htmlBlockEnd(line, true) !== undefined
  );
}

function singleLine(line: string, index: number): Block | undefined {
  const place = { startLine: index + 1, endLine: index + 1 };
  const heading = atxHeading(line);
  if (heading) return { kind: "heading", text: heading.text, level: heading.level, ...place };
  if (isRule(line)) return { kind: "rule", text: line, ...place };
  if (isDirective(line)) return { kind: "directive", text: line.trim(), ...place };
  if (isLabel(line)) return { kind: "label", text: line.trim().slice(1, -2), ...place };
  if (isDefinition(line)) return { kind: "definition", text: line.trim(), ...place };
  return undefined;
}

function openBlock(line: string, next: string | undefined, start: number): OpenBlock | undefined {
  if (line.trim() === "") return undefined;
  if (indentOf(line) > 3) return { kind: "code", start };
  const fence = fenceOpening(line);
  if (fence) return { kind: "code", start, fence };
  if (isQuote(line)) return { kind: "quote", start };
  const marker = listMarker(line);
  if (marker) return { kind: "list", start, contentIndent: marker.contentIndent };
  const until = htmlBlockEnd(line, false);
  if (until !== undefined) return { kind: until === "-->" ? "comment" : "html", start, until };
  return { kind: startsTable(line, next) ? "table" : "paragraph", start };
}

function finish(open: OpenBlock, lines: string[], end: number): Block {
  let last = end;
  while (last > open.start + 1 && lines[last - 1]?.trim() === "" && !open.fence) last -= 1;
  const text = lines.slice(open.start, last).join("\n");
  const block: Block = { kind: kindOf(open, text), text, startLine: open.start + 1, endLine: last };
  const language = open.fence ? languageOf(open.fence.info) : undefined;
  return language ? { ...block, language } : block;
}

/** A comment's last line may have words after it, which belong to the page. */
function kindOf(open: OpenBlock, text: string): BlockKind {
  if (open.kind !== "comment") return open.kind;
  const end = text.indexOf("-->");
  return end >= 0 && text.slice(end + 3).trim() !== "" ? "html" : "comment";
}

function asSetext(paragraph: Block, line: string, index: number): Block {
  const words = paragraph.text.split("\n").map((each) => each.trim());
  return {
    kind: "heading",
    text: words.join(" "),
    level: setextLevel(line) ?? 2,
    startLine: paragraph.startLine,
    endLine: index + 1,
  };
}

/** The items of a list, each with everything nested in it. */
export function listItems(text: string): string[] {
  const items: string[][] = [];
  let contentIndent = Number.POSITIVE_INFINITY;
  for (const line of text.split("\n")) {
    const marker = indentOf(line) < contentIndent ? listMarker(line) : undefined;
    if (marker || items.length === 0) items.push([]);
    if (marker) contentIndent = marker.contentIndent;
    items.at(-1)?.push(line);
  }
  return items.map((lines) => lines.join("\n").trimEnd());
}

/** The language in an info string: `js`, `js {1,3}`, `{.python}`, `cpp title="a"`. */
export function languageOf(info: string): string | undefined {
  return /^[{.\s]{0,4}([A-Za-z][\w+#.-]{0,39})/.exec(info)?.[1]?.toLowerCase();
}

function startsTable(line: string, next: string | undefined): boolean {
  return next !== undefined && line.includes("|") && isTableDelimiter(next);
}

function isDirective(line: string): boolean {
  return /^ {0,3}:{3,}(?:[ \t]|[A-Za-z]|$)/.test(line);
}

/** Whether a line consists of a MyST label: `(name)=`. */
function isLabel(line: string): boolean {
  return /^\([\w.:+/ -]{1,200}\)=\s*$/.test(line);
}

function isDefinition(line: string): boolean {
  return /^ {0,3}\[(?!\^)[^[\]]{1,500}\]:[ \t]*\S/.test(line);
}

/** Whether a line is a table's delimiter row. */
function isTableDelimiter(line: string): boolean {
  const text = line.trim();
  return text.includes("-") && /^[|:\- \t]+$/.test(text) && (text.includes("|") || text.includes(":"));
}

/** What ends an HTML block that starts on a line: a text, or a blank line (""). */
function htmlBlockEnd(line: string, insideParagraph: boolean): string | undefined {
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
