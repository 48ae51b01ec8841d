import { hideCode, outsideFences } from "@docent/kernel/text/code-spans";
import { type AnchorStyle, createSlugger, sphinxSlug, takeHeadingId } from "../anchors.ts";
import { inlineText } from "../plain-text.ts";
import { type Block, scanBlocks } from "./blocks.ts";

export { type Block, languageOf, listItems, scanBlocks } from "./blocks.ts";
export { writeEmoji } from "./emoji.ts";

/** A heading with the text below it up to the next heading of any level. */
export interface Section {
  /** 1 to 6; 0 for the text before the first heading. */
  level: number;
  /** In plain words; "" before the first heading. */
  heading: string;
  /** The heading in Markdown, without an explicit anchor. */
  headingSource: string;
  /** Plain words of the headings above it and its own. */
  headingPath: string[];
  /** "" before the first heading, and for a heading without a letter or digit. */
  anchor: string;
  /** Whether its anchor is written, rather than made of its words. */
  hasOwnId: boolean;
  /** The source below the heading line. */
  markdown: string;
  blocks: Block[];
  /** The line of the heading, from 1. */
  startLine: number;
  /** The heading's last line: a setext heading takes several. */
  headingEndLine: number;
}

/** A page's sections, with the reference definitions that they share. */
export interface Outline {
  sections: Section[];
  definitions: Definitions;
}

/**
 * Splits a page's Markdown into sections, in order. Text before the first heading is a section of the page
 * itself.
 */
export function readOutline(markdown: string, anchors: AnchorStyle = "github"): Outline {
  const blocks = scanBlocks(markdown);
  const definitions = collectDefinitions(blocks);
  const lines = markdown.split("\n");
  const slugger = createSlugger(anchors);
  const parents: Section[] = [];
  const sections: Section[] = [pageItself()];
  for (const block of blocks) {
    if (block.kind !== "heading") {
      sections.at(-1)?.blocks.push(block);
      continue;
    }
    const level = block.level ?? 1;
    while ((parents.at(-1)?.level ?? 0) >= level) parents.pop();
    const { text, id = labelOf(sections) } = takeHeadingId(block.text);
    const spaced = inlineText(text, definitionsUsedIn(text, definitions));
    const heading = spaced.replace(/\s+/g, " ").trim();
    const section: Section = {
      level,
      heading,
      headingSource: text,
      headingPath: [...parents.map((parent) => parent.heading), heading].filter((words) => words !== ""),
      anchor: id === undefined ? slugger.unique(spaced.trim()) : slugger.claim(id),
      hasOwnId: id !== undefined,
      markdown: "",
      blocks: [],
      startLine: block.startLine,
      headingEndLine: block.endLine,
    };
    parents.push(section);
    sections.push(section);
  }
  return { sections: withMarkdown(sections, lines), definitions };
}

/** The anchor from a MyST `(name)=` right before a heading. */
function labelOf(sections: Section[]): string | undefined {
  const before = sections.at(-1)?.blocks.at(-1);
  const name = before?.kind === "label" ? sphinxSlug(before.text) : "";
  return name === "" ? undefined : name;
}

function withMarkdown(sections: Section[], lines: string[]): Section[] {
  sections.forEach((section, index) => {
    const end = sections[index + 1]?.startLine ?? lines.length + 1;
    section.markdown = trimBlankLines(lines.slice(section.headingEndLine, end - 1)).join("\n");
  });
  return sections.filter((section) => section.level > 0 || section.markdown !== "");
}

function trimBlankLines(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function pageItself(): Section {
  return {
    level: 0,
    heading: "",
    headingSource: "",
    headingPath: [],
    anchor: "",
    hasOwnId: false,
    markdown: "",
    blocks: [],
    startLine: 1,
    headingEndLine: 0,
  };
}

/** Targets of a page's reference links, by label. */
export type Definitions = Map<string, string>;

/** Collects `[label]: target` lines; the first of a label wins, as in Markdown. */
export function collectDefinitions(blocks: Block[]): Definitions {
  const found: Definitions = new Map();
  for (const block of blocks) {
    if (block.kind !== "definition") continue;
    const label = normalizeLabel(block.text.slice(1, block.text.indexOf("]:")));
    if (!found.has(label)) found.set(label, block.text);
  }
  return found;
}

/** The definitions that a piece of a page needs for its reference links to work on their own. */
export function definitionsUsedIn(markdown: string, definitions: Definitions): string[] {
  if (definitions.size === 0) return [];
  const used = new Set<string>();
  for (const match of markdown.matchAll(/\[([^[\]]{1,500})\]/g)) {
    const line = definitions.get(normalizeLabel(match[1] ?? ""));
    if (line) used.add(line);
  }
  return [...used];
}

/** A label as links find it: in small letters, with single spaces. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Letters of scripts in which words stand beside emphasis without a space. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** Punctuation of Chinese and Japanese: beside a Latin word it has no space either. */
const WIDE_PUNCTUATION = /[\u3001-\u303F\uFF01-\uFF65]/;
const STRONG = /(?<![*\\])\*\*(?![\s*])([^*\n]{1,500})(?<![\s\\])\*\*(?!\*)/g;
const LEADING = /^[\p{P}\p{S}]+/u;
const TRAILING = /[\p{P}\p{S}]+$/u;
/** A link, a tag or code, whose marks can't be taken apart. */
const BEGINS_WHOLE = /^(?:!?\[|<|\uE000|\\)/;
const ENDS_WHOLE = /(?:\]\([^()]*\)|[\]>\uE001]|\\.)$/;

/**
 * Moves punctuation out of strong emphasis where Markdown would show the stars: `は**「重要」**です` has no emphasis by its
 * rules, because they were made for words with spaces between them.
 */
export function mendEmphasis(markdown: string): string {
  if (!markdown.includes("**") || !SPACELESS.test(markdown)) return markdown;
  return outsideFences(markdown, (words) => {
    if (!words.includes("**")) return words;
    const { hidden, show } = hideCode(words);
    return show(
      hidden.replace(STRONG, (source: string, inside: string, start: number) =>
        mended(source, inside, {
          before: lastOf(hidden, start),
          after: firstOf(hidden, start + source.length),
        }),
      ),
    );
  });
}

const firstOf = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 10);
const lastOf = (text: string, end: number) =>
  Array.from(text.slice(Math.max(0, end - 2), end)).at(-1) ?? "\n";

interface Around {
  before: string;
  after: string;
}

function mended(source: string, inside: string, { before, after }: Around): string {
  const leads = isBlocked(before, firstOf(inside, 0));
  const trails = isBlocked(after, lastOf(inside, inside.length));
  if (!leads && !trails) return source;
  // What can't be taken apart is better without emphasis than with stars.
  if ((leads && BEGINS_WHOLE.test(inside)) || (trails && ENDS_WHOLE.test(inside))) return inside;
  const [lead = ""] = (leads && LEADING.exec(inside)) || [];
  const [trail = ""] = (trails && TRAILING.exec(inside.slice(lead.length))) || [];
  const words = inside.slice(lead.length, inside.length - trail.length);
  return words.trim() === words && words !== "" ? `${lead}**${words}**${trail}` : inside;
}

/** Whether stars between these two begin or end no emphasis. */
const isBlocked = (outside: string, inside: string) =>
  SPACELESS.test(outside)
    ? PUNCTUATION.test(inside) || /[\uE000\uE001]/.test(inside)
    : WIDE_PUNCTUATION.test(inside) && /[\p{L}\p{N}]/u.test(outside);
