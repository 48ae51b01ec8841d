import { closeAll, createBody } from "./body.ts";
import { plainWords } from "./escapes.ts";
import type { PageLink } from "./inline.ts";
import { createManWriting, isManMacro, writeManLine } from "./man-macros.ts";
import { createMdocWriting, isMdocMacro, writeMdocLine } from "./mdoc.ts";
import { readRoff } from "./roff.ts";

export type { PageLink } from "./inline.ts";

/** A manual page as Markdown. */
interface ManPage {
  /** `git-rebase(1)`; undefined where the page does not say. */
  title: string | undefined;
  /** What its line of names says that it is. */
  description: string | undefined;
  markdown: string;
  faults: string[];
}

/** What a manual page begins with, behind comments: a page is no longer looked at. */
const HEAD_CHARACTERS_MAX = 20_000;
/** A page with more is cut: the largest that people have are a fifth of it. */
const CHARACTERS_MAX = 3_000_000;

/** Whether a text is a manual page: it begins with a comment or a request of roff, and says its title as such. */
export function isManPage(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS_MAX);
  return (
    /^\s*[.'](?:[\\\s"]|[A-Za-z])/.test(head) &&
    (/^[.'][ \t]*(?:TH|Dd|Dt)\s/m.test(head) || aliasOf(head) !== undefined)
  );
}

/** What a page says that it is called, as it is written. */
export const nameIn = (text: string) =>
  plainWords(/^[.'][ \t]*(?:TH|Dt)[ \t]+"?([^\s"]{1,200})/m.exec(text)?.[1] ?? "") || undefined;

/** The page that another one stands for: `.so man1/git.1`, and nothing else but comments. */
export function aliasOf(text: string): string | undefined {
  if (text.length > HEAD_CHARACTERS_MAX) return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^[.']\s*\\["#]/.test(line));
  const [, target] = /^[.']\s*so\s+"?([^\s"]{1,300})/.exec(lines[0] ?? "") ?? [];
  return lines.length === 1 ? target : undefined;
}

/** Whether a page is written in the macros of mdoc(7): it says its date before anything else. */
const isMdoc = (source: string) => {
  const date = /^\.\s*Dd\b/m.exec(source)?.index ?? -1;
  const title = /^\.\s*TH\b/m.exec(source)?.index ?? Number.POSITIVE_INFINITY;
  return date >= 0 && date < title;
};

/** Reads a manual page in the macros of man(7) or mdoc(7). What it does not know is left out, as in a terminal. Never throws. */
export function readMan(source: string, link?: PageLink): ManPage {
  const isCut = source.length > CHARACTERS_MAX;
  const text = isCut ? source.slice(0, CHARACTERS_MAX) : source;
  const faults = isCut ? [`is read up to its first ${CHARACTERS_MAX} characters: it is longer`] : [];
  const body = createBody(link);
  const isSemantic = isMdoc(text);
  const man = createManWriting(body);
  const mdoc = createMdocWriting(body);
  const writing = isSemantic ? mdoc : man;
  if (isSemantic) for (const line of readRoff(text, isMdocMacro)) writeMdocLine(mdoc, line);
  else for (const line of readRoff(text, isManMacro)) writeManLine(man, line);
  closeAll(body);
  return {
    title: titleOf(writing.title, body.name.text),
    description: descriptionOf(body.name.text),
    markdown: body.out.join("\n\n"),
    faults,
  };
}

const DASH = /(?<!\s)\s+(?:-{1,2}|[–—−]|\\-)\s+/;

/** Titles are often in capitals, and names are not: of those the one is taken that is the same in capitals. */
function titleOf(title: { name: string; section: string } | undefined, names: string): string | undefined {
  if (title === undefined || title.name === "") return undefined;
  const list = (names.split(DASH)[0] ?? "").split(/[\s,]+/);
  const own = list.find((name) => name.toUpperCase() === title.name.toUpperCase());
  const name = own ?? (title.name === title.name.toUpperCase() ? title.name.toLowerCase() : title.name);
  return title.section === "" ? name : `${name}(${title.section})`;
}

function descriptionOf(names: string): string | undefined {
  const at = DASH.exec(names);
  const words =
    at === null
      ? ""
      : names
          .slice(at.index + at[0].length)
          .replace(/\s+/g, " ")
          .trim();
  return words === "" ? undefined : words;
}
