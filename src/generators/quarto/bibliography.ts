import { type DocsTree, resolveLocation } from "../docs-tree.ts";

const ENTRY = /^[ \t]*@(\w{1,40})[ \t]*[{(][ \t]*([^\s,{}]{1,200})[ \t]*,/gm;
const PEOPLE =
  /\b(?:author|editor)\s*=\s*(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}){1,3000})\}|"([^"]{1,3000})")/i;
const YEAR = /\b(?:year|date)\s*=\s*(?:["{]+\s*)?(\d{4})/i;
const FILES_MAX = 20;
const ENTRY_CHARACTERS_MAX = 20_000;

/** How the sources of a book are named in its text, by their keys: "Knuth 1984". */
export async function readBibliography(
  tree: DocsTree,
  root: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const file of files.slice(0, FILES_MAX)) {
    const location = /\.bib$/i.test(file) ? resolveLocation(root, `./${file}`) : undefined;
    const text = location === undefined ? undefined : await tree.text(location);
    if (text !== undefined) for (const [key, words] of sourcesIn(text)) found.set(key, words);
  }
  return found;
}

function sourcesIn(text: string): [string, string][] {
  const entries = [...text.matchAll(ENTRY)];
  return entries.flatMap(({ 2: key = "", index }, at): [string, string][] => {
    const end = Math.min(entries[at + 1]?.index ?? text.length, index + ENTRY_CHARACTERS_MAX);
    const entry = text.slice(index, end);
    const [, braced, quoted] = PEOPLE.exec(entry) ?? [];
    const people = peopleIn(braced ?? quoted ?? "");
    const year = YEAR.exec(entry)?.[1];
    return people === "" ? [] : [[key, year === undefined ? people : `${people} ${year}`]];
  });
}

function peopleIn(written: string): string {
  const names = written.split(/\s+and\s+/).map((name) => {
    const plain = name.trim();
    // In braces it is one name, such as that of a company.
    if (plain.startsWith("{")) return plain.replace(/[{}]/g, "");
    const family = plain.includes(",") ? (plain.split(",", 1)[0] ?? "") : (plain.split(/\s+/).at(-1) ?? "");
    return family.replace(/\\[`'^"~=.uvHtcdbkr]\s?|[{}\\]/g, "").trim();
  });
  const [first = "", second] = names;
  if (second === undefined) return first;
  return names.length === 2 && second !== "others" ? `${first} and ${second}` : `${first} et al.`;
}
