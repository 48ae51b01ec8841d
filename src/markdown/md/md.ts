import { type AnchorStyle, createSlugger, sphinxSlug, takeHeadingId } from "../anchors.ts";
import { inlineText } from "../plain-text.ts";
import { type Block, scanBlocks } from "./blocks.ts";

export { type Block, languageOf, listItems, scanBlocks } from "./blocks.ts";
export { writeEmoji } from "./emoji.ts";
export { mendEmphasis } from "./emphasis.ts";

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
