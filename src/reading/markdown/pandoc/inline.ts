import { findCodeSpans, outsideCode } from "@docent/kernel/text/code-spans";
import { codeSpan, escapeLabel } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { type Attributes, attributesAt } from "./attributes.ts";
import { isCrossReference, kindOfLabel, type PandocProject, type Reference } from "./references.ts";
import { codeWithValues, SHORTCODE, writeShortcode } from "./shortcodes.ts";

/** What is known of a page when its words are read. */
export interface InlineContext extends PandocProject {
  referenceOf(label: string): Reference | undefined;
  /** The id of the heading that has these words, where the page may lead to it by them alone. */
  headingOf(words: string): string | undefined;
}

interface Scan {
  text: string;
  at: number;
  out: string[];
  /** Where brackets that are open stand in `out`. */
  open: number[];
  context: InlineContext;
  codeEnd(start: number): number | undefined;
}

/** Where something begins that Pandoc reads and Markdown does not. */
const SPECIAL = /[`\\$@{[\]<^~!]/g;

/** The words of a block without what only Pandoc, Quarto and bookdown read in them. In linear time. */
export function writeInline(written: string, context: InlineContext): string {
  SPECIAL.lastIndex = 0;
  if (!SPECIAL.test(written)) return written;
  const text = withValues(written, context);
  const spans = findCodeSpans(text);
  const scan: Scan = { text, at: 0, out: [], open: [], context, codeEnd: (start) => spans.endOf(start) };
  const special = new RegExp(SPECIAL);
  while (scan.at < text.length) {
    special.lastIndex = scan.at;
    const next = special.exec(text)?.index ?? text.length;
    if (next > scan.at) scan.out.push(text.slice(scan.at, next));
    scan.at = next;
    if (next < text.length) step(scan, text.charAt(next));
  }
  return scan.out.join("");
}

const VALUE = /(?<!\{)\{\{<[ \t]*(?:var|meta)[ \t][^{}\n]{0,300}?>\}\}(?!\})/g;

/** Values of the project may be Markdown of Pandoc, or a part of an address: they are put in before anything is read. */
const withValues = (text: string, context: InlineContext) =>
  text.includes("{{<")
    ? outsideCode(text, (prose) => prose.replace(VALUE, (shortcode) => codeWithValues(shortcode, context)))
    : text;

function step(scan: Scan, character: string): void {
  const isTaken =
    (character === "`" && takeCode(scan)) ||
    (character === "\\" && takeEscape(scan)) ||
    (character === "$" && takeMaths(scan)) ||
    (character === "@" && takeMention(scan)) ||
    (character === "{" && takeBraces(scan)) ||
    (character === "[" && openBracket(scan)) ||
    (character === "]" && closeBracket(scan)) ||
    (character === "<" && takeTag(scan)) ||
    (character === "^" && takeScript(scan, SUPERSCRIPT, "sup")) ||
    (character === "~" && takeScript(scan, SUBSCRIPT, "sub"));
  if (!isTaken) put(scan, character, 1);
}

function put(scan: Scan, written: string, length: number): true {
  scan.out.push(written);
  scan.at += length;
  return true;
}

/** What a pattern finds right where the scan is. */
function found(scan: Scan, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = scan.at;
  return pattern.exec(scan.text);
}

const EXPRESSION = /^`\{?(?:r|python|julia|ojs)\}?[ \t]+([^`]+)`$/;
const IS_OF_FORMAT = /is_(?:latex|html|epub|word)_output|knitr::|opts_knit/;
const EXPRESSION_CHARACTERS_MAX = 60;

function takeCode(scan: Scan): boolean {
  const { text, at } = scan;
  const end = scan.codeEnd(at);
  if (end === undefined) {
    const [run = "`"] = /^`+/.exec(text.slice(at, at + 1_000)) ?? [];
    return put(scan, run, run.length);
  }
  const code = text.slice(at, end);
  const [, format] = /^\{=(\w{1,20})\}/.exec(text.slice(end, end + 30)) ?? [];
  if (format !== undefined) {
    const raw = code.replace(/^`+|`+$/g, "");
    return put(scan, format === "html" ? raw : "", end - at + format.length + 3);
  }
  const length = end - at + lengthOfAttributes(text, end);
  const [, expression] = EXPRESSION.exec(code) ?? [];
  return put(
    scan,
    expression === undefined ? shown(code, scan.context) : computedValue(expression.trim()),
    length,
  );
}

const shown = (code: string, context: InlineContext) =>
  codeWithValues(code, context).replace(/^`\{\{(\w{1,20})\}\}/, "`{$1}");

/** A value that code in the line computes: what it says, where it is plain, or else the code itself. */
function computedValue(expression: string): string {
  const [, double, single, number] = /^(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+(?:\.\d+)?))$/.exec(expression) ?? [];
  const value = double ?? single ?? number;
  if (value !== undefined) return value;
  const isNoise = IS_OF_FORMAT.test(expression) || expression.length > EXPRESSION_CHARACTERS_MAX;
  return isNoise ? "" : codeSpan(expression);
}

const BOOK_REFERENCE = /\\@ref\(([\w:.*/-]{1,200})\)/y;
const BOOK_LABEL = /\(\\#((?:[\w.-]{1,30}:)?[\p{L}\p{N}_:.*/-]{1,200})\)/uy;
/** A command of TeX, which is for what is printed. */
const TEX = /\\[A-Za-z]{2,30}\*?(?:\[[^[\]\n]{0,200}\])*(?:\{[^{}\n]{0,300}\})+/y;

function takeEscape(scan: Scan): boolean {
  const reference = found(scan, BOOK_REFERENCE);
  if (reference !== null) return put(scan, refer(scan, reference[1] ?? ""), reference[0].length);
  // Behind a parenthesis that is written already: `(\#eq:x)`.
  if (scan.out.at(-1)?.endsWith("(")) {
    BOOK_LABEL.lastIndex = scan.at - 1;
    const label = BOOK_LABEL.exec(scan.text);
    if (label !== null) {
      scan.out.push((scan.out.pop() ?? "").slice(0, -1), placeMark(label[1] ?? ""));
      scan.at += label[0].length - 1;
      return true;
    }
  }
  const delimiter = scan.text.charAt(scan.at + 1);
  if (delimiter === "(" || delimiter === "[") {
    const near = scan.text.slice(scan.at + 2, scan.at + MATHS_CHARACTERS_MAX);
    const close = near.indexOf(delimiter === "(" ? "\\)" : "\\]");
    const length = close < 0 ? 2 : close + 4;
    return put(scan, scan.text.slice(scan.at, scan.at + length), length);
  }
  const tex = found(scan, TEX);
  if (tex !== null && !/^\\(?:begin|end)\b/.test(tex[0])) return put(scan, "", tex[0].length);
  return put(scan, scan.text.slice(scan.at, scan.at + 2), 2);
}

const MATHS_CHARACTERS_MAX = 3_000;
const DISPLAYED = /\$\$((?:[^$\\]|\\[\s\S]){1,5000}?)\$\$/y;
const WITHIN = /\$(?![\s$])((?:[^$\\\n]|\\[\s\S]|\n(?!\s*\n)){1,2000}?)(?<!\s)\$(?!\d)/y;

/** Formulas stay as they are, without their labels. */
function takeMaths(scan: Scan): boolean {
  const maths = found(scan, DISPLAYED) ?? found(scan, WITHIN);
  if (maths === null) return put(scan, "$", 1);
  const [whole] = maths;
  const label = /(?<![ \t])[ \t]*\(\\#([\w:.-]{1,200})\)/.exec(whole);
  const end = scan.at + whole.length;
  const [space = ""] = /^[ \t]*/.exec(scan.text.slice(end, end + 20)) ?? [];
  const behind = whole.startsWith("$$") ? attributesAt(scan.text, end + space.length) : undefined;
  const id = behind?.attributes.id ?? label?.[1];
  const mark = id === undefined ? "" : placeMark(id);
  // A formula on lines of its own stays there alone.
  const place = mark === "" ? "" : `${mark}\n\n`;
  scan.out.push(place + (label === null ? whole : whole.replace(label[0], "")));
  scan.at = behind?.end ?? end;
  return true;
}

const MENTION =
  /@(?:\{([^{}\s]{1,200})\}|([\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&+?<>~/-](?=[\p{L}\p{N}_])){0,200}))/uy;

function takeMention(scan: Scan): boolean {
  const before = scan.text.charAt(scan.at - 1);
  const mention = /[\p{L}\p{N}_/\\.`]/u.test(before) ? null : found(scan, MENTION);
  const key = mention?.[1] ?? mention?.[2];
  if (mention === null || key === undefined) return false;
  const label = key.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  if (isCrossReference(label) || scan.context.referenceOf(key) !== undefined)
    return put(scan, refer(scan, isCrossReference(label) ? label : key), mention[0].length);
  const cited = scan.context.citationOf?.(key);
  return cited === undefined ? false : put(scan, escapeLabel(cited), mention[0].length);
}

const WORD_BEFORE =
  /(?:^|[\s(])((?:Fig(?:ure|s?\.)?|Table|Equation|Eq\.|Theorem|Lemma|Definition|Example|Listing)s?)[ \u00a0]$/;

/** A link to what has a label: a section by its title, and what has a number by what it is. */
function refer(scan: Scan, label: string): string {
  const reference = scan.context.referenceOf(label);
  const kind = kindOfLabel(label);
  const last = scan.out.at(-1) ?? "";
  const [, before] = reference?.words === undefined ? (WORD_BEFORE.exec(last) ?? []) : [];
  if (before !== undefined) {
    scan.out.push((scan.out.pop() ?? "").slice(0, -before.length - 1));
    return reference === undefined ? before : `[${before}](${reference.href})`;
  }
  const words = reference?.words ?? kind ?? "";
  if (reference === undefined) return words;
  return words === "" ? "" : `[${escapeLabel(words)}](${reference.href})`;
}

function takeBraces(scan: Scan): boolean {
  const { text, at, context } = scan;
  if (text.startsWith("{{{", at)) {
    const [whole, inner] = /^\{\{\{([<%][^\n]{0,1000}?[>%])\}\}\}/.exec(text.slice(at, at + 1_010)) ?? [];
    if (whole !== undefined) return put(scan, codeSpan(`{{${inner}}}`), whole.length);
  }
  if (!/^\{\{[<%]/.test(text.slice(at, at + 3))) return false;
  const [whole, name = "", written = ""] =
    new RegExp(`^${SHORTCODE.source}`).exec(text.slice(at, at + 1_200)) ?? [];
  if (whole === undefined) return false;
  return put(scan, writeShortcode(name, written, context), whole.length);
}

const CITATION = /\[([^[\]]{0,40}?-?@(?:[^[\]]|\[[^[\]]{0,100}\]){1,1000})\](?![[({])/y;
const OPEN_MAX = 500;

function openBracket(scan: Scan): true {
  const citation = found(scan, CITATION);
  const cited = citation === null ? undefined : cite(scan, citation[1] ?? "");
  if (citation !== null && cited !== undefined) return put(scan, cited, citation[0].length);
  if (scan.open.length >= OPEN_MAX) scan.open.shift();
  const isImage = scan.out.at(-1)?.endsWith("!") === true;
  scan.open.push(scan.out.length - (isImage ? 1 : 0));
  return put(scan, "[", 1);
}

const CITED =
  /-?@(?:\{([^{}\s]{1,200})\}|([\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&+?<>~/-](?=[\p{L}\p{N}_])){0,200}))/gu;

/** `[see @knuth1984, p. 3; @fig-one]`; undefined where nothing in it is a source or a reference. */
function cite(scan: Scan, written: string): string | undefined {
  if (/[^\s;\-([]@/.test(written.replace(/\w+@\w/g, "")) || /https?:/.test(written)) return undefined;
  let isReference = false;
  let isSource = false;
  const words = written.replace(CITED, (_, braced: string | undefined, plain: string | undefined) => {
    const key = braced ?? plain ?? "";
    const label = key.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
    if (isCrossReference(label)) {
      isReference = true;
      return refer({ ...scan, out: [] }, label);
    }
    isSource = true;
    return escapeLabel(scan.context.citationOf?.(key) ?? key);
  });
  if (!isReference && !isSource) return undefined;
  return isSource ? `(${words.trim()})` : words.trim();
}

const DESTINATION =
  /\((?:<[^<>\n]{0,2000}>|(?:[^()\s\\]|\\[\s\S]|\((?:[^()\s]|\([^()\s]{0,200}\)){0,500}\)){0,2000})(?:\s{1,20}(?:"(?:[^"\\]|\\[\s\S]){0,500}"|'(?:[^'\\]|\\[\s\S]){0,500}'))?\s{0,20}\)/y;

const PIECES_OF_LINK_MAX = 40;

function closeBracket(scan: Scan): boolean {
  const opening = scan.open.pop();
  if (opening === undefined) return put(scan, "]", 1);
  const { text } = scan;
  const behind = text.charAt(scan.at + 1);
  const span = behind === "{" ? attributesAt(text, scan.at + 1) : undefined;
  if (span !== undefined) {
    closeSpan(scan, opening, span.attributes);
    scan.at = span.end;
    return true;
  }
  if (behind === "(") {
    DESTINATION.lastIndex = scan.at + 1;
    const [destination] = DESTINATION.exec(text) ?? [];
    if (destination !== undefined) {
      put(scan, `]${destination}`, 1 + destination.length);
      takeLinkAttributes(scan, opening);
      return true;
    }
  }
  const isPlain = !"[:(".includes(behind || " ") && scan.out.length - opening < PIECES_OF_LINK_MAX;
  const words = isPlain ? scan.out.slice(opening + 1).join("") : "";
  const id = words === "" || words.length > 300 ? undefined : scan.context.headingOf(words);
  return put(scan, id === undefined ? "]" : `](#${id})`, 1);
}

/** The words of a span without its brackets, where it is shown. */
function closeSpan({ out }: Scan, opening: number, { id, classes, values }: Attributes): void {
  const isImage = out[opening] === "!" || out[opening]?.endsWith("!") === true;
  const bracket = isImage ? opening + 1 : opening;
  const format = values.get("when-format");
  const unless = values.get("unless-format");
  const isHidden =
    classes.includes("hidden") ||
    (classes.includes("content-hidden") && (format === undefined || isForHtml(format))) ||
    (classes.includes("content-visible") &&
      ((format !== undefined && !isForHtml(format)) || (unless !== undefined && isForHtml(unless))));
  if (isHidden) out.length = bracket;
  else out[bracket] = id === undefined ? "" : placeMark(id);
}

/** Whether something is for web pages: `html`, `html:js`. */
export const isForHtml = (format: string) =>
  /^html(?::js)?\b/.test(format.trim()) || format.trim() === "html4";

function takeLinkAttributes(scan: Scan, opening: number): void {
  const behind = attributesAt(scan.text, scan.at);
  if (behind === undefined) return;
  scan.at = behind.end;
  const { id, values } = behind.attributes;
  const isImage = scan.out[opening]?.endsWith("!") === true;
  const alt = values.get("fig-alt") ?? values.get("alt");
  // An image without a caption is described for those who do not see it.
  if (
    isImage &&
    alt !== undefined &&
    scan.out
      .slice(opening + 2, -1)
      .join("")
      .trim() === ""
  )
    scan.out[opening + 1] = `[${escapeLabel(alt)}`;
  if (id === undefined) return;
  const first = scan.out[opening] ?? "";
  scan.out[opening] = isImage ? `${first.slice(0, -1)}${placeMark(id)}!` : placeMark(id) + first;
}

const TAG =
  /<(?:!--[\s\S]{0,5000}?-->|https?:[^\s<>]{1,2000}>|[\w.+-]{1,200}@[\w.-]{1,200}>|\/?[A-Za-z][\w-]{0,60}(?:[^<>"'`]|"[^"]{0,1000}"|'[^']{0,1000}'){0,3000}>)/y;

function takeTag(scan: Scan): boolean {
  const [tag] = found(scan, TAG) ?? [];
  return tag === undefined ? false : put(scan, tag, tag.length);
}

const SUPERSCRIPT = /\^((?:[^\s^\\[\]`$<]|\\[\s\S]){1,40})\^/y;
const SUBSCRIPT = /~((?:[^\s~\\[\]`$<]|\\[\s\S]){1,40})~(?!~)/y;

/** `2^10^` and `H~2~O`. */
function takeScript(scan: Scan, pattern: RegExp, tag: string): boolean {
  if (scan.text.charAt(scan.at - 1) === scan.text.charAt(scan.at)) return false;
  const script = found(scan, pattern);
  return script === null ? false : put(scan, `<${tag}>${script[1]}</${tag}>`, script[0].length);
}

/** How long the attributes behind code are, and nothing where there are none. */
function lengthOfAttributes(text: string, at: number): number {
  const behind = attributesAt(text, at);
  return behind === undefined ? 0 : behind.end - at;
}
