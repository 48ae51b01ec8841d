import { escapeInline } from "@docent/kernel/text/write-markdown";
import { writeOrgBody } from "./blocks.ts";
import { keyOf, type OrgNames, writeOrgInline } from "./inline.ts";
import { anchorOf, type OrgSection, plainHeading, readKeywords, readSections } from "./outline.ts";

export { withOrgIncludes } from "./includes.ts";

/** What the writers of Org share. */
export interface OrgWriting {
  names: OrgNames;
  /** Appends lines as blocks. */
  body(lines: readonly string[], depth: number, out: string[]): void;
}

/** A page in Org as Markdown. */
interface OrgPage {
  title: string | undefined;
  description: string | undefined;
  keywords: string[];
  /** The page asks to be left out. */
  isHidden: boolean;
  markdown: string;
  faults: string[];
}

/** A page with more is cut: the manual of Org itself is a quarter of it. */
const CHARACTERS_MAX = 4_000_000;

/** Reads a page in Org. What it includes is in it already; `otherId` says where the `ID` of a section elsewhere leads. Never throws. */
export function readOrg(source: string, otherId?: (id: string) => string | undefined): OrgPage {
  const isCut = source.length > CHARACTERS_MAX;
  const lines = (isCut ? source.slice(0, CHARACTERS_MAX) : source).replaceAll("\t", "        ").split("\n");
  const keywords = readKeywords(lines);
  const sections = readSections(lines, keywords);
  const names: OrgNames = { ...namesIn(sections), otherId, ...keywords, notes: [] };
  const writing: OrgWriting = {
    names,
    body: (inner, depth, out) => writeOrgBody(inner, depth, out, writing),
  };
  const out: string[] = [];
  const title = keywords.title === "" ? undefined : plainWords(keywords.title, names);
  // Without a title, the first heading is one.
  const shift = title === undefined ? 0 : 1;
  if (keywords.subtitle !== "")
    out.push(`**${writeOrgInline(keywords.subtitle, names).replaceAll("**", "")}**`);
  for (const section of sections) {
    if (section.level > 0) writeHeading(section, shift, out, names);
    writeOrgBody(section.lines, 0, out, writing);
  }
  writeNotes(names, out);
  return {
    title,
    description: keywords.description === "" ? undefined : plainWords(keywords.description, names),
    keywords: keywords.keywords,
    isHidden: keywords.isHidden,
    markdown: out.filter((block) => block !== "").join("\n\n"),
    faults: isCut ? [`is read up to its first ${CHARACTERS_MAX} characters: it is longer`] : [],
  };
}

const plainWords = (text: string, names: OrgNames) =>
  plainHeading(writeOrgInline(text, names))
    .replace(/\\(?=[^\w\s])/g, "")
    .replace(/[*`]/g, "");

function writeHeading(
  { level, heading, customId }: OrgSection,
  shift: number,
  out: string[],
  names: OrgNames,
): void {
  const words = writeOrgInline(heading, names)
    .replace(/(?<!\s)\s*\\?\n\s*/g, " ")
    .replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
  if (words === "") return;
  const id = customId !== undefined && /^[^\s{}<>"`|\\]{1,200}$/.test(customId) ? ` {#${customId}}` : "";
  out.push(`${"#".repeat(Math.min(6, level + shift))} ${words}${id}`);
}

/** What links on a page can lead to. */
function namesIn(sections: readonly OrgSection[]): Pick<OrgNames, "headings" | "ids"> {
  const headings = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const section of sections) {
    if (section.level === 0) continue;
    const anchor = anchorOf(section);
    const key = keyOf(section.heading);
    if (!headings.has(key)) headings.set(key, anchor);
    if (section.id !== undefined) ids.set(section.id, anchor);
    for (const line of section.lines)
      for (const [, place = ""] of line.matchAll(/(?<!<)<<([^<>\n]{1,200})>>(?!>)/g)) {
        const name = keyOf(place);
        if (!headings.has(name)) headings.set(name, anchor);
      }
  }
  return { headings, ids };
}

/** Footnotes that are written within words. One may name the next. */
function writeNotes(names: OrgNames, out: string[]): void {
  const written = new Set<string>();
  for (let at = 0; at < names.notes.length && at < 5_000; at++) {
    const note = names.notes[at];
    if (note === undefined || written.has(note.label)) continue;
    written.add(note.label);
    out.push(`[^${note.label}]: ${writeOrgInline(note.words, names) || escapeInline(note.label, "")}`);
  }
}

/** The `ID`s of a page's sections, with their anchors; that of the page itself is "". */
export function orgIds(source: string): ReadonlyMap<string, string> {
  const lines = source.split("\n");
  const sections = readSections(lines, readKeywords(lines));
  return new Map(
    sections.flatMap((section) =>
      section.id === undefined ? [] : [[section.id, section.level === 0 ? "" : anchorOf(section)] as const],
    ),
  );
}
