import { createIndexKeeper } from "../../../../src/finding/search/keyword-index/index-keeper.ts";
import {
  createKeywordIndex,
  type PassageQuery,
} from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import type {
  IndexablePassage,
  LinkingPage,
} from "../../../../src/finding/search/keyword-index/segment-store.ts";
import { memorySegmentStore } from "../../../helpers/memory-segment-store.ts";
import { quietLog } from "../../../helpers/test-log.ts";

export const SITE = 1;
export const { signal } = new AbortController();

export type Random = () => number;
export const below = (random: Random, count: number) => Math.floor(random() * count);

/** Words whose first ones are frequent, as in any language; some of them compound, some of other scripts. */
export const WORDS = Array.from({ length: 400 }, (_, number) => {
  const stem = `${"bcdfghklmn"[number % 10]}${"aeiou"[(number >> 2) % 5]}${"prstvz"[number % 6]}${number.toString(26)}`;
  return [stem, `${stem}-x`, `${stem}_y`, `Größe${number}`, `設定${stem}`, `😀${stem}`][number % 17] ?? stem;
});
export const word = (random: Random) => WORDS[Math.floor(WORDS.length ** random()) - 1] ?? "word";
export const words = (random: Random, count: number) =>
  Array.from({ length: count }, () => word(random)).join(" ");

export function randomPassage(random: Random, id: number): IndexablePassage {
  const pageId = 1000 + Math.floor(id / 3);
  return {
    id,
    pageId,
    title: words(random, 1 + below(random, 4)),
    keywords: random() < 0.1 ? [word(random)] : [],
    headings: random() < 0.5 ? [words(random, 2)] : [],
    text: words(random, below(random, 60)),
    identifiers: random() < 0.2 ? [word(random)] : [],
    page: id % 3 === 0 ? randomLinks(random, pageId) : undefined,
  };
}

/** Links to pages near this one, some of which are not there; many of them say the same. */
function randomLinks(random: Random, pageId: number): LinkingPage {
  const links = Array.from({ length: below(random, 12) }, () => ({
    to: `page ${pageId + below(random, 12) - 6}`,
    text: below(random, 3) === 0 ? word(random) : `${WORDS[below(random, 3)]} ${WORDS[below(random, 3)]}`,
  }));
  return { address: `page ${pageId}`, links };
}

export function randomQuery(random: Random): PassageQuery {
  const some = [...new Set(Array.from({ length: 1 + below(random, 8) }, () => word(random)))];
  const terms = random() < 0.1 ? [] : [...some, "absent"];
  return {
    terms,
    phrases: random() < 0.3 ? [[word(random), word(random)]] : [],
    prefix: random() < 0.4 ? word(random).slice(0, 1 + below(random, 3)) : undefined,
    neighbours: terms.slice(1).map((second, index) => [terms[index] ?? "", second]),
  };
}

/** An index in memory, of passages that a test changes. It may begin with copies of another's segments. */
export function openIndex(
  passages: Map<number, IndexablePassage>,
  pages: () => ReadonlySet<number>,
  segments?: ReturnType<ReturnType<typeof memorySegmentStore>["segments"]>,
  isRestricted?: (pageId: number) => boolean,
) {
  const held = memorySegmentStore(passages, segments, isRestricted);
  const keeper = createIndexKeeper({ store: held.store, log: quietLog() });
  const index = createKeywordIndex({ segments: held.store, pageIds: async () => pages(), bytesMax: 100_000 });
  let generation = 0;
  return {
    ...held,
    keeper,
    /** The pages that readers see. */
    pages: async () => pages(),
    /** A view of all pages that there are, in a generation of its own. */
    async view(filter = {}) {
      const segmentIds = (await held.store.list(SITE)).map(({ id }) => id);
      return index.open(
        { audience: "everything", siteId: SITE, generation: ++generation, filter },
        segmentIds,
      );
    },
  };
}

export const pagesOf = (passages: Map<number, IndexablePassage>) =>
  new Set([...passages.values()].map(({ pageId }) => pageId));

/** A passage that has text alone, on a page of its own. */
export const plainPassage = (
  id: number,
  text: string,
  more: Partial<IndexablePassage> = {},
): IndexablePassage => ({
  id,
  pageId: 1000 + id,
  title: "",
  keywords: [],
  headings: [],
  text,
  identifiers: [],
  ...more,
});

/** Passages by their ids. */
export const byId = (passages: readonly IndexablePassage[]) =>
  new Map(passages.map((passage) => [passage.id, passage]));
