import { createSlugger, sphinxSlug } from "../../markdown/anchors.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { withSmartQuotes } from "./smart-quotes.ts";

/** A list of pages that a page puts into the menu. */
export interface Toctree {
  caption: string | undefined;
  /** As they are written, a line each. */
  entries: string[];
  isGlob: boolean;
  isReversed: boolean;
  isNumbered: boolean;
}

/** A place that can be referred to. */
export interface Place {
  id: string;
  /** What it is called, as plain words. */
  title: string | undefined;
  /** What of Python it is: "class", "method", "module". */
  kind?: string;
  /** Whether it is a heading whose words are a label or another heading of the page. */
  isRepeated?: boolean;
}

/** What other pages may want to know of a page. */
export interface PageFacts {
  title: string | undefined;
  labels: Map<string, Place>;
  /** Headings by what they say, for `autosectionlabel`. */
  sections: Place[];
  /** Ids by the GitHub-like ones that MyST gives besides. */
  slugs: Map<string, Place>;
  /** Described things by kind and name: "option tide --now". */
  objects: Map<string, Place>;
  toctrees: Toctree[];
  /** Names that the page itself can refer to; undefined for one that is given twice. */
  anchors: Map<string, string | undefined>;
}

/** Gives the ids of one page as docutils does, and keeps what it met. */
export interface PageRecorder {
  facts: PageFacts;
  target(name: string, hasAddress: boolean): string;
  inlineTarget(name: string): string;
  numbered(): void;
  section(level: number, title: string): string;
  otherBlock(title?: string): void;
  object(domain: string, name: string, id: string, kind?: string): string;
}

const FACTS_MAX = 100_000;

const nothingKnown = (): PageFacts => ({
  title: undefined,
  labels: new Map(),
  sections: [],
  slugs: new Map(),
  objects: new Map(),
  toctrees: [],
  anchors: new Map(),
});

/** Ids of headings as docutils makes them, or from their words alone, in which a repeated one is `a-1`. */
export type HeadingIds = "docutils" | "words";

interface RecorderOptions {
  isMyst: boolean;
  anchorLevels: number;
  headingIds?: HeadingIds | undefined;
}

export function createRecorder({ isMyst, anchorLevels, headingIds }: RecorderOptions): PageRecorder {
  const { claim, take } = createIds();
  const ofWords = createWordIds();
  const slugger = createSlugger("github");
  const facts = nothingKnown();
  let pending: { name: string; id: string }[] = [];

  return {
    facts,
    target(name, hasAddress) {
      const id = claim(name);
      if (hasAddress || facts.labels.size > FACTS_MAX) return id;
      pending.push({ name: normalName(name), id });
      facts.labels.set(normalName(name), { id, title: undefined });
      facts.anchors.set(normalName(name), id);
      return id;
    },
    inlineTarget(name) {
      const id = claim(name);
      if (facts.labels.size > FACTS_MAX) return id;
      facts.labels.set(normalName(name), { id, title: undefined });
      facts.anchors.set(normalName(name), id);
      return id;
    },
    numbered: () => void claim(""),
    section(level, title) {
      const words = inlineText(title).trim();
      const own = headingIds === "words" ? ofWords(words) : claim(words);
      const labels = pending.map(({ id }) => id).toReversed();
      const ids = isMyst ? [...labels, own] : [own, ...labels];
      // docutils puts a number behind a name.
      const id = (/^id\d+$/.test(ids[0] ?? "") ? ids[1] : undefined) ?? ids[0] ?? own;
      const place = { id, title: withSmartQuotes(title) };
      if (facts.title === undefined) facts.title = place.title;
      // A label above a heading is another id of it, at the same place.
      for (const { name } of pending) facts.labels.set(name, place);
      pending = [];
      keep(facts.sections, { id, title: words, isRepeated: facts.anchors.has(normalName(words)) });
      const name = normalName(words);
      facts.anchors.set(name, facts.anchors.has(name) ? undefined : id);
      if (level <= anchorLevels) facts.slugs.set(slugger.unique(words), place);
      return id;
    },
    otherBlock(title) {
      if (title !== undefined) for (const { name, id } of pending) facts.labels.set(name, { id, title });
      pending = [];
    },
    object(domain, name, wanted, kind) {
      const id = take(wanted, domain === "py");
      if (facts.objects.size < FACTS_MAX)
        facts.objects.set(`${domain} ${name}`, { id, title: name, ...(kind === undefined ? {} : { kind }) });
      return id;
    },
  };
}

function keep(places: Place[], place: Place): void {
  if (places.length < FACTS_MAX) places.push(place);
}

/** A name's id; a name that makes none, or one that is given away, gets the page's next number. */
function createIds() {
  const taken = new Set<string>();
  let count = 0;
  let repeated = 0;
  return {
    /** The id, or where it is given away and may be had once, the next number of such. */
    take(id: string, isOnce: boolean): string {
      let free = id;
      while (isOnce && taken.has(free)) free = `id${repeated++}`;
      taken.add(free);
      return free;
    },
    claim(name: string): string {
      let id = sphinxSlug(name);
      if (id === "" || taken.has(id))
        do {
          count += 1;
          id = `id${count}`;
        } while (taken.has(id));
      taken.add(id);
      return id;
    },
  };
}

/** The ids of Symfony's builder: a repeated one has the number of those before it, whatever else the page has. */
function createWordIds(): (words: string) => string {
  const counts = new Map<string, number>();
  return (words) => {
    const id = wordId(words);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : wordId(`${words}-${count}`);
  };
}

const wordId = (words: string) =>
  words
    .replace(/[^\p{L}\d]+/gu, "-")
    .normalize("NFKD")
    .replace(/[^-\w]+/g, "")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();

export const normalName = (name: string) => name.replace(/\s+/g, " ").trim().toLowerCase();

/** The id of a described thing: unlike one of a heading it keeps capitals, dots and low lines. */
export const objectId = (prefix: string, name: string) =>
  `${prefix}-${name}`
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .replace(/[^a-zA-Z0-9._]+/g, "-")
    .replace(/^[-0-9._]+|(?<!-)-+$/g, "");
