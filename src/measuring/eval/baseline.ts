import { join } from "node:path";
import type { PlainEntry, PlainIndex } from "@docent/finding/search/search-store";
import { createSlugger, takeHeadingId } from "@docent/reading/markdown/anchors";
import { parsePage } from "@docent/reading/markdown/page";
import type { Dataset, Entry } from "./datasets/datasets.ts";
import { canonicalPath, type EvalQuestion, type Range, type Ranked, type System } from "./question.ts";
import { codeUnits } from "./spans-file.ts";

interface Held extends PlainEntry {
  path: string;
  anchor: string;
  ranges: Range[];
}

const SECTION_CHARACTERS_MAX = 2000;
const TITLE_WEIGHT = 3;
const PAGES = "**/*.{md,mdx,markdown,html,htm,rst}";
const RESULTS_MAX = 200;

// A common short list of English stop words.
const STOP_WORDS = new Set(
  `a about after all am an and any are as at be been being but by can could did do does doing done down each few for from
had has have having he her here his how i if in into is it its just may me might more most must my no nor not now of off
on only or other our out over own same shall she should so some such t than that the their them then there these they
this those to too under up very was we were what when where which who whom whose why will with would you your`.split(
    /\s+/,
  ),
);
// Scripts without spaces between words; the marks belong to Thai and Japanese.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}ー]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** What a self-hoster would have without Docent. */
export interface Baselines {
  /** Without stop words, titles weighing three times as much. */
  baseline: System;
  /** All words and titles alike, as it comes. */
  allWords: System;
}

/**
 * SQLite's full-text search over titles and sections, matching any of a question's words; Chinese, Japanese and Thai are
 * in pairs of characters.
 */
export async function createBaselines(dataset: Dataset, index: PlainIndex): Promise<Baselines> {
  const held = dataset.entries.length > 0 ? await fromEntries(dataset) : await fromDocs(dataset);
  index.add(held.map(({ title, text, language }) => ({ title: pairs(title), text: pairs(text), language })));
  return {
    baseline: createSystem("baseline", { held, index, wordsOf: baselineWords, titleWeight: TITLE_WEIGHT }),
    allWords: createSystem("all words", { held, index, wordsOf: allWordsOf, titleWeight: 1 }),
  };
}

interface PlainSearch {
  held: readonly Held[];
  index: PlainIndex;
  wordsOf: (question: string) => string[];
  titleWeight: number;
}

function createSystem(name: string, { held, index, wordsOf, titleWeight }: PlainSearch): System {
  return {
    name,
    passages: held,
    async rank({ text, filter }: EvalQuestion) {
      const language = filter.language ?? "";
      const found = index.find(wordsOf(text), { titleWeight, language, limit: RESULTS_MAX });
      return found.flatMap((number): Ranked[] => {
        const entry = held[number];
        if (!entry) return [];
        return [
          {
            path: entry.path,
            anchors: () => [entry.anchor],
            relevance: undefined,
            ranges: () => entry.ranges,
          },
        ];
      });
    },
  };
}

/** The words of a question without stop words; all of them where nothing else is left. */
export function baselineWords(question: string): string[] {
  const all = allWordsOf(question);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : all;
}

const allWordsOf = (question: string): string[] => [
  ...new Set(pairs(question).toLowerCase().match(WORD) ?? []),
];

/** A text whose runs of a script without spaces become pairs of characters. */
export function pairs(text: string): string {
  return text.replace(UNSPACED, (run) => {
    const characters = [...run];
    if (characters.length === 1) return ` ${run} `;
    const both = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
    return ` ${both.join(" ")} `;
  });
}

async function fromEntries({ entries, docs }: Dataset): Promise<Held[]> {
  const units = new Map<string, (character: number) => number>();
  for (const { path, start } of entries) {
    if (docs === undefined || path === undefined || start === undefined || units.has(path)) continue;
    units.set(path, codeUnits(await Bun.file(join(docs, path)).text()));
  }
  return entries.map((entry) => ({
    title: entry.title,
    text: entry.text,
    language: entry.language,
    path: canonicalPath(entry.path ?? entry.id),
    anchor: "",
    ranges: rangesOf(entry, units.get(entry.path ?? "")),
  }));
}

function rangesOf({ start, end }: Entry, unit: ((character: number) => number) | undefined): Range[] {
  return start === undefined || end === undefined || !unit ? [] : [[unit(start), unit(end)]];
}

async function fromDocs({ docs = "", languages }: Dataset): Promise<Held[]> {
  const held: Held[] = [];
  for (const file of [...new Bun.Glob(PAGES).scanSync(docs)].sort()) {
    const { page, title } = readPage(file, await Bun.file(join(docs, file)).text());
    const language = languages.find((each) => file.startsWith(`${each}/`)) ?? "";
    for (const { heading, anchor, text, start, end } of cutSections(page, SECTION_CHARACTERS_MAX)) {
      const titles = heading === "" || heading === title ? title : `${title} ${heading}`;
      held.push({ title: titles, text, language, path: canonicalPath(file), anchor, ranges: [[start, end]] });
    }
  }
  return held;
}

/** A page as Markdown, with its title. Markdown stays as it is, so that places in the file are those of the page. */
function readPage(file: string, source: string): { page: string; title: string } {
  const format = /\.html?$/.test(file) ? "html" : file.endsWith(".rst") ? "rst" : undefined;
  if (format === undefined) return { page: source, title: /^#\s+(.+)$/m.exec(source)?.[1] ?? file };
  const { markdown, title } = parsePage(source, { fallbackTitle: file, format });
  return { page: markdown, title };
}

/** A piece of a page, as a plain search engine would index it. */
interface Piece {
  heading: string;
  anchor: string;
  text: string;
  start: number;
  end: number;
}

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** Cuts a page at its headings, and at lines where a section is longer than `charactersMax`. */
export function cutSections(page: string, charactersMax: number): Piece[] {
  const pieces: Piece[] = [];
  const slugger = createSlugger();
  let heading = "";
  let anchor = "";
  let start = 0;
  let at = 0;
  let fenced = false;
  const cut = () => {
    const text = page.slice(start, at);
    if (text.trim() !== "") pieces.push({ heading, anchor, text, start, end: at });
    start = at;
  };
  for (const line of page.split(/(?<=\n)/)) {
    if (FENCE.test(line)) fenced = !fenced;
    const title = fenced ? undefined : HEADING.exec(line.trimEnd())?.[1];
    if (title !== undefined || at + line.length - start > charactersMax) cut();
    if (title !== undefined) {
      const { text, id } = takeHeadingId(title);
      heading = text;
      anchor = id === undefined ? slugger.unique(text) : slugger.claim(id);
    }
    at += line.length;
  }
  cut();
  return pieces;
}
