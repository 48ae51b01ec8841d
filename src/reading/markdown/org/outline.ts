import { slug } from "../anchors.ts";

/** What a page in Org says of itself in its keywords. */
interface OrgKeywords {
  title: string;
  subtitle: string;
  description: string;
  keywords: string[];
  /** Words that may stand before a heading. */
  todos: ReadonlySet<string>;
  /** Sections with one of these tags are not shown. */
  excluded: ReadonlySet<string>;
  macros: ReadonlyMap<string, string>;
  /** Short names that addresses may begin with. */
  abbreviations: ReadonlyMap<string, string>;
  /** Nothing of the page is shown. */
  isHidden: boolean;
}

/** A heading with the lines below it. */
export interface OrgSection {
  /** 0 for what stands before the first heading. */
  level: number;
  /** As it is written, without keywords and tags. */
  heading: string;
  customId: string | undefined;
  id: string | undefined;
  lines: string[];
}

export const isBlockMark = /^[ \t]*#\+(begin|end)_(\S+)[ \t]*(.*)$/i;
const KEYWORD = /^[ \t]*#\+(\w[\w-]{0,40}):[ \t]*(.*)$/;
const HEADING = /^(\*{1,60})[ \t]+(.*)$/;
const TAGS = /(?<![ \t])[ \t]+:([\p{L}\p{N}_@#%:]{1,300}):[ \t]*$/u;

/** The keywords of a page, wherever they stand. */
export function readKeywords(lines: readonly string[]): OrgKeywords {
  const [titles, subtitles, descriptions]: [string[], string[], string[]] = [[], [], []];
  const keywords: string[] = [];
  const todos = new Set(["TODO", "DONE"]);
  const excluded = new Set(["noexport"]);
  const macros = new Map<string, string>();
  const abbreviations = new Map<string, string>();
  let isHidden = false;
  for (const line of lines) {
    const [, name = "", value = ""] = KEYWORD.exec(line) ?? [];
    switch (name.toLowerCase()) {
      case "title":
        titles.push(value.trim());
        break;
      case "subtitle":
        subtitles.push(value.trim());
        break;
      case "description":
        descriptions.push(value.trim());
        break;
      case "keywords":
        keywords.push(...value.split(/[,\s]+/).filter((each) => each !== ""));
        break;
      case "todo":
      case "seq_todo":
      case "typ_todo":
        for (const each of value.split(/\s+/))
          if (/^[\p{L}_-]+/u.test(each)) todos.add(each.replace(/\(.*$/, ""));
        break;
      case "exclude_tags":
        for (const each of value.split(/\s+/)) if (each !== "") excluded.add(each);
        break;
      case "filetags":
        isHidden ||= value.includes(":noexport:");
        break;
      case "macro": {
        const [, macro = "", text = ""] = /^(\S{1,100})[ \t]*(.*)$/.exec(value) ?? [];
        if (macro !== "") macros.set(macro.toLowerCase(), text);
        break;
      }
      case "link": {
        const [, short = "", address = ""] = /^"?([^\s"]{1,100})"?[ \t]+(\S{1,2000})/.exec(value) ?? [];
        if (short !== "") abbreviations.set(short, address);
        break;
      }
      default:
    }
  }
  return {
    title: titles.filter((each) => each !== "").join(" "),
    subtitle: subtitles.filter((each) => each !== "").join(" "),
    description: descriptions.filter((each) => each !== "").join(" "),
    keywords,
    todos,
    excluded,
    macros,
    abbreviations,
    isHidden,
  };
}

/** A heading's line: its stars, and what it says; undefined for any other line. */
export function readHeading(
  line: string,
  { todos }: Pick<OrgKeywords, "todos">,
): { level: number; words: string; tags: string[]; isComment: boolean } | undefined {
  const [, stars, written = ""] = HEADING.exec(line) ?? [];
  if (stars === undefined) return undefined;
  const rest = written.replace(/[ \t]{2,}/g, " ");
  const tags = TAGS.exec(` ${rest}`)?.[1]?.split(":") ?? [];
  let words = ` ${rest}`.replace(TAGS, "").trim();
  const first = /^\S+/.exec(words)?.[0] ?? "";
  if (todos.has(first)) words = words.slice(first.length).trimStart();
  words = words.replace(/^\[#[A-Z0-9]{1,2}\][ \t]*/, "");
  const isComment = /^COMMENT(?:\s|$)/.test(words);
  return {
    level: stars.length,
    words: words.replace(/(?<![ \t])[ \t]*\[\d*(?:\/\d*|%)\]/g, "").trim(),
    tags,
    isComment,
  };
}

/** toc-org writes a table of contents below such a heading. */
const CONTENTS = /^TOC(?:_\d{1,2})?(?:_[a-z]{1,10})?$/;

/** A page's sections that are shown. Stars at the start of a line in a block of code are escaped there. */
export function readSections(lines: readonly string[], keywords: OrgKeywords): OrgSection[] {
  let section: OrgSection = { level: 0, heading: "", customId: undefined, id: undefined, lines: [] };
  const sections = [section];
  let hidden = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const heading = line.startsWith("*") ? readHeading(line, keywords) : undefined;
    if (heading === undefined) {
      if (hidden === Number.POSITIVE_INFINITY) section.lines.push(line);
      continue;
    }
    const { level, words, tags, isComment } = heading;
    if (level > hidden) continue;
    const isLeftOut = isComment || tags.some((tag) => keywords.excluded.has(tag) || CONTENTS.test(tag));
    hidden = isLeftOut ? level : Number.POSITIVE_INFINITY;
    if (hidden !== Number.POSITIVE_INFINITY) continue;
    section = { level, heading: words, customId: undefined, id: undefined, lines: [] };
    sections.push(section);
  }
  for (const each of sections) readProperties(each);
  return sections;
}

/** The properties that a section begins with, below the line of its dates. */
function readProperties(section: OrgSection): void {
  let at = 0;
  const { lines } = section;
  while (at < lines.length && /^[ \t]*(?:$|(?:SCHEDULED|DEADLINE|CLOSED):)/.test(lines[at] ?? "")) at += 1;
  if (!/^[ \t]*:PROPERTIES:[ \t]*$/i.test(lines[at] ?? "")) return;
  for (at += 1; at < lines.length; at++) {
    const [, name = "", value = ""] = /^[ \t]*:([\w-]{1,60}):[ \t]*(.*)$/.exec(lines[at] ?? "") ?? [];
    if (name === "" || /^end$/i.test(name)) return;
    if (/^custom_id$/i.test(name)) section.customId = value.trim().replace(/^#/, "");
    if (/^id$/i.test(name)) section.id = value.trim();
  }
}

/** A heading's words as links name them: without marks. */
export const plainHeading = (words: string) =>
  words
    .replace(/\[\[[^[\]]{1,500}\]\[([^[\]]{1,500})\]\]/g, "$1")
    .replace(/(?<![\w])([=~*/_+])(\S(?:.{0,300}?\S)?)\1(?!\w)/g, "$2");

/** A heading's anchor. */
export const anchorOf = ({ heading, customId }: Pick<OrgSection, "heading" | "customId">) =>
  customId ?? slug(plainHeading(heading));
