import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { NOBODY, readGroups, type WrittenGroups } from "@docent/kernel/text/groups/groups";
import { isRecord } from "@docent/kernel/text/json";

/** A page's source, split into front matter and body. */
interface FrontMatter {
  /**
   * Has no prototype, so that a page's key can never shadow a method. Of front matter that cannot be used there is nothing
   * in it, but that the page is for nobody where it names groups.
   */
  data: Record<string, unknown>;
  body: string;
  /** The line of the source, from 1, on which the body starts. */
  bodyLine: number;
  /** Why the front matter could not be used; the body is complete all the same. */
  fault?: string;
}

/** A notation for front matter. */
interface Notation {
  name: string;
  closings: string[];
  /** Matches the first line between the fences that is neither blank nor a comment. */
  firstLine: RegExp;
  parse(text: string): unknown;
}

/** Bounds on the content of front matter. */
const MAX_DEPTH = 20;
const MAX_VALUES = 10_000;
/** How many lines of front matter that is not closed are taken for it. */
const UNCLOSED_LINES_MAX = 200;

const NOTATIONS: Record<string, Notation> = {
  "---": {
    name: "YAML",
    closings: ["---", "..."],
    firstLine: /^["']?[\w$.-]{1,100}["']? {0,10}:(?:\s|$)/,
    parse: (text) => Bun.YAML.parse(withoutTabsInLists(text)),
  },
  "+++": {
    name: "TOML",
    closings: ["+++"],
    firstLine: /^(?:["']?[\w.-]{1,100}["']?\s{0,10}=|\[)/,
    parse: (text) => Bun.TOML.parse(text),
  },
};

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?:^|\s)#.*$/g;

/**
 * Inside of `[…]` and `{…}`, YAML lets lines begin with tabs, as other programs read it: they are blanks there and no
 * indent.
 */
function withoutTabsInLists(text: string): string {
  if (!/^ *\t/m.test(text) || !/[[{]/.test(text)) return text;
  let depth = 0;
  const lines = text.split("\n").map((line) => {
    const isInside = depth > 0;
    for (const [mark] of line.replace(QUOTED, "").matchAll(/[[{\]}]/g)) depth += /[[{]/.test(mark) ? 1 : -1;
    return isInside ? line.replace(/^\s+/, (blanks) => blanks.replaceAll("\t", "  ")) : line;
  });
  return lines.join("\n");
}

/**
 * Splits the YAML between `---` fences, or the TOML between `+++` ones, off a page. Keeps the page's text,
 * whatever is wrong with the front matter.
 */
export function splitFrontMatter(source: string): FrontMatter {
  const text = normalizeSource(source);
  const lines = text.split("\n");
  const whole = { data: emptyData(), body: text, bodyLine: 1 };
  const start = firstLineShown(lines);
  const fence = lines[start]?.trimEnd() ?? "";
  const notation = Object.hasOwn(NOTATIONS, fence) ? NOTATIONS[fence] : undefined;
  if (notation === undefined) return whole;
  const end = lines.findIndex((line, index) => index > start && notation.closings.includes(line.trimEnd()));
  if (start > 0) return splitBelow({ lines, start, end, notation, whole });
  if (end < 0) {
    const fault = "front matter is not closed";
    if (!looksLike(notation, lines.slice(1, 3))) return whole;
    return { ...whole, data: dataOfUnread(lines.slice(1, UNCLOSED_LINES_MAX).join("\n")), fault };
  }
  const written = lines.slice(1, end);
  const rest = { body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
  const parsed = parseData(notation, written.join("\n"));
  if (parsed.ok) return { ...rest, data: parsed.data };
  // Two rules with prose between them look like front matter, but the prose belongs to the page.
  if (!looksLike(notation, written)) return whole;
  return { ...rest, data: dataOfUnread(written.join("\n")), fault: parsed.fault };
}

const COMMENTS = [
  { opening: "<!--", closing: "-->" },
  { opening: "{/*", closing: "*/}" },
];

/** The index of the first line that is neither blank nor part of a comment; 0 where a comment has no end. */
function firstLineShown(lines: readonly string[]): number {
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]?.trim() ?? "";
    const comment = COMMENTS.find(({ opening }) => line.startsWith(opening));
    if (line !== "" && comment === undefined) return at;
    if (comment !== undefined) {
      const end = lines.findIndex((each, index) => index >= at && each.includes(comment.closing));
      if (end < 0 || !lines[end]?.trimEnd().endsWith(comment.closing)) return 0;
      at = end;
    }
    at += 1;
  }
  return 0;
}

interface Fenced {
  lines: readonly string[];
  /** The lines of the fences. */
  start: number;
  end: number;
  notation: Notation;
  /** The page without front matter. */
  whole: FrontMatter;
}

/**
 * Splits front matter off that stands behind blank lines or comments, as several generators read it. There it may also be
 * words between two rules, so that it has to name values.
 */
function splitBelow({ lines, start, end, notation, whole }: Fenced): FrontMatter {
  const written = end < 0 ? [] : lines.slice(start + 1, end);
  if (!looksLike(notation, written)) return whole;
  const parsed = parseData(notation, written.join("\n"));
  if (!parsed.ok) return { ...whole, data: dataOfUnread(written.join("\n")) };
  return { data: parsed.data, body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}

type Parsed = { ok: true; data: Record<string, unknown> } | { ok: false; fault: string };

function parseData({ name, parse }: Notation, text: string): Parsed {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, fault: `front matter is not valid ${name}: ${reason}` };
  }
  if (value === null || value === undefined) return { ok: true, data: emptyData() };
  if (!isRecord(value)) return { ok: false, fault: "front matter is not a list of names and values" };
  const data = plainData(value);
  return data ? { ok: true, data } : { ok: false, fault: "front matter is too large or refers to itself" };
}

function looksLike({ firstLine }: Notation, lines: string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#"));
  return first !== undefined && firstLine.test(first);
}

function emptyData(): Record<string, unknown> {
  return Object.create(null);
}

/**
 * Copies parsed YAML into a bounded tree of plain values, without cycles or prototype keys; undefined where
 * it is too large.
 */
function plainData(value: unknown): Record<string, unknown> | undefined {
  const budget = { values: MAX_VALUES };
  const copy = copyValue(value, 0, budget);
  return budget.values > 0 && isRecord(copy) ? copy : undefined;
}

/** Whether a value is a YAML date or one of TOML's several kinds of date. */
function isDate(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function"
  );
}

function copyValue(value: unknown, depth: number, budget: { values: number }): unknown {
  budget.values -= 1;
  // Aliases can turn a small file into an endless value, so a budget ends the copy, not the size of the
  // input.
  if (depth > MAX_DEPTH) budget.values = 0;
  if (budget.values <= 0) return null;
  if (isDate(value)) return value.toJSON();
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1, budget));
  if (!isRecord(value)) return typeof value === "function" || typeof value === "symbol" ? null : value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, item] of Object.entries(value)) {
    if (name !== "__proto__") copy[name] = copyValue(item, depth + 1, budget);
  }
  return copy;
}

/** The tags, keywords, version and language in a page's front matter. */
interface PageLabels {
  tags: string[];
  /** Further words to find it by, including error codes. */
  keywords: string[];
  version?: string;
  language?: string;
}

const LABELS_MAX = 50;
const CHARACTERS_MAX = 100;
const NAMES = {
  tags: ["tags", "tag"],
  keywords: ["keywords", "keyword", "f1_keywords", "helpviewer_keywords"],
  version: ["version"],
  language: ["lang", "language", "locale"],
} as const;

/**
 * Reads labels as writers write them: a list, one text, or several separated by commas; unchanged and
 * distinct.
 */
export function pageLabels(data: Record<string, unknown>): PageLabels {
  const read = (kind: keyof typeof NAMES) => unique(NAMES[kind].flatMap((name) => labelsIn(data[name])));
  const [version] = read("version");
  const [language] = read("language");
  return {
    tags: read("tags"),
    keywords: read("keywords"),
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
  };
}

function labelsIn(value: unknown): string[] {
  if (typeof value === "string") return value.split(",");
  if (Array.isArray(value)) return value.flatMap(labelIn);
  return labelIn(value);
}

function labelIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  // Docusaurus: a tag with its own address.
  return isRecord(value) && typeof value["label"] === "string" ? [value["label"]] : [];
}

function unique(labels: string[]): string[] {
  const kept = labels
    .map((label) => label.replace(/\s+/g, " ").trim())
    .filter((label) => label !== "" && label.length <= CHARACTERS_MAX);
  return [...new Set(kept)].slice(0, LABELS_MAX);
}

/**
 * The groups that a page names in its front matter, which may read it, and nobody else; none: everyone. Where what stands
 * there is not groups, nobody may read it: it was meant to be kept from somebody. `group`, without its s, is what several
 * generators call a part of their menu.
 */
export function pageGroups({ groups: written }: Record<string, unknown>): WrittenGroups {
  const { groups, fault } = readGroups(written);
  return fault === undefined ? { groups } : { groups, fault: `groups in its front matter ${fault}` };
}

/** A line of front matter that names groups, in YAML, TOML or JSON. */
const NAMES_GROUPS = /^(?:[ \t]*\{)?[ \t]*["']?groups["']?[ \t]*[:=]/im;

/** What is known of front matter that cannot be read: where it names groups, that is for nobody. */
function dataOfUnread(written: string): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  if (NAMES_GROUPS.test(written)) data["groups"] = [NOBODY];
  return data;
}

/** How far into a page its front matter is looked for. */
const HEAD_CHARACTERS_MAX = 20_000;
const JSON_OPENED = /^\{\s*["}]/;

/**
 * What a page's own file says of whom the page is for, for what was made of it without that: a generator may know no front
 * matter, and Hugo's may be JSON that cannot be read.
 */
export function groupsSaidBy(source: string): Record<string, unknown> {
  if (!NAMES_GROUPS.test(source.slice(0, HEAD_CHARACTERS_MAX))) return {};
  const text = source.trimStart();
  const { data } = splitFrontMatter(text);
  if (saysGroups(data)) return { groups: data["groups"] };
  return JSON_OPENED.test(text) ? { groups: [NOBODY] } : {};
}

/** Whether front matter says whom a page is for. */
export const saysGroups = (data: Readonly<Record<string, unknown>>): boolean => "groups" in data;

/** Keys by which site builders hide a page from search when they are `true`. */
const HIDES_WHEN_TRUE = ["hidden", "noindex", "draft", "unlisted", "search_exclude", "exclude_from_search"];
/** Keys that hide it when they are `false`. */
const HIDES_WHEN_FALSE = ["searchable", "search", "pagefind", "published", "indexed"];

/**
 * Whether a page's front matter hides it from search: hidden, noindex, draft, `searchable: false` and the
 * like.
 */
export function isHidden(data: Record<string, unknown>): boolean {
  const search = data["search"];
  return (
    HIDES_WHEN_TRUE.some((name) => says(data[name], true)) ||
    HIDES_WHEN_FALSE.some((name) => says(data[name], false)) ||
    (isRecord(search) && says(search["exclude"], true)) ||
    (typeof data["robots"] === "string" && /\bnoindex\b/i.test(data["robots"]))
  );
}

function says(value: unknown, wanted: boolean): boolean {
  return value === wanted || (typeof value === "string" && value.trim().toLowerCase() === String(wanted));
}
