import { analyze } from "../../../../src/finding/search/analyze.ts";
import { FIELD_WEIGHTS, fieldTexts } from "../../../../src/finding/search/keyword-index/fields.ts";
import type { PassageQuery, WordQuery } from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import type { IndexablePassage } from "../../../../src/finding/search/keyword-index/segment-store.ts";

interface Known {
  id: number;
  pageId: number;
  fields: string[][];
  length: number;
}

/** What the index must find, told by the formula alone: every passage is looked at for every question. */
export function referenceIndex(
  passages: Iterable<IndexablePassage>,
  isAllowed: (id: number) => boolean = () => true,
) {
  const known = [...passages].map((passage): Known => {
    const fields = fieldTexts(passage).map(analyze);
    return { id: passage.id, pageId: passage.pageId, fields, length: fields.flat().length };
  });
  const average = known.reduce((sum, { length }) => sum + length, 0) / known.length || 1;

  /** How often a test holds at a place of a field, by the fields' weights. */
  const weighed = ({ fields }: Known, holds: (field: string[], at: number) => boolean) =>
    fields.reduce(
      (sum, field, number) =>
        sum + (FIELD_WEIGHTS[number] ?? 0) * field.filter((_, at) => holds(field, at)).length,
      0,
    );

  function testsOf({ terms, phrases, prefix }: WordQuery) {
    return [
      ...terms.map((term) => (field: string[], at: number) => field[at] === term),
      ...phrases.map(
        (phrase) => (field: string[], at: number) =>
          phrase.every((term, index) => field[at + index] === term),
      ),
      ...(prefix === undefined
        ? []
        : [(field: string[], at: number) => field[at]?.startsWith(prefix) === true]),
    ];
  }

  return {
    frequency: (term: string) => known.filter(({ fields }) => fields.flat().includes(term)).length,
    match(query: WordQuery, limit: number): { id: number; score: number }[] {
      const scores = new Map<number, number>();
      for (const holds of testsOf(query)) {
        const having = known
          .map((each) => ({ each, times: weighed(each, holds) }))
          .filter(({ times }) => times > 0);
        const rarity = Math.max(1e-6, Math.log((known.length - having.length + 0.5) / (having.length + 0.5)));
        for (const { each, times } of having) {
          const damping = 1.2 * (0.25 + (0.75 * each.length) / average);
          const own = Math.round((rarity * 2.2 * FRACTION * times) / (times + damping));
          scores.set(each.id, (scores.get(each.id) ?? 0) + own);
        }
      }
      return [...scores]
        .filter(([id]) => isAllowed(id))
        .map(([id, score]) => ({ id, score: score / FRACTION }))
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, limit);
    },
    words(id: number, { terms, phrases, prefix, neighbours }: PassageQuery) {
      const fields = known.find((each) => each.id === id)?.fields ?? [];
      const all = fields.flat();
      const holds = (phrase: readonly string[]) =>
        fields.some((field) =>
          field.some((_, at) => phrase.every((term, index) => field[at + index] === term)),
        );
      return {
        terms: new Set(terms.filter((term) => all.includes(term))),
        phrases: phrases.filter(holds).length,
        added: new Set<string>(),
        isBegun: prefix !== undefined && all.some((term) => term.startsWith(prefix)),
        closeness: neighbours.map(([first, second]) => {
          const least = Math.min(...fields.map((field) => leastDistance(field, first, second)));
          return least <= 3 ? 1 : least <= 8 ? 0.5 : 0;
        }),
      };
    },
    /** From 0 to 1: what links to a page say of some terms, which weigh the same. */
    saidByLinks(pageId: number, terms: readonly string[]): number {
      if (terms.length === 0) return 0;
      const pages = [...passages].flatMap(({ page }) => (page ? [page] : []));
      const address = [...passages].find((each) => each.pageId === pageId && each.page)?.page?.address;
      const saidBy = new Map<string, number>();
      for (const from of pages.filter((page) => page.address !== address)) {
        const own = from.links.filter(({ to }) => to === address).map(({ text }) => keyOf(text));
        for (const text of new Set(own)) saidBy.set(text, (saidBy.get(text) ?? 0) + 1);
      }
      const shares = [...saidBy].map(([text, times]) => {
        const own = text.split(" ");
        const known = own.filter((term) => terms.includes(term)).length;
        return ((known / terms.length) * (known / own.length) * times) / (times + 0.5);
      });
      return Math.max(0, ...shares);
    },
    page(pageId: number, terms: readonly string[]) {
      const own = known.filter((each) => each.pageId === pageId);
      const times = (term: string, { fields }: Known, number: number) =>
        (fields[number] ?? []).filter((each) => each === term).length;
      const counts = terms.map((term): [string, number] => [
        term,
        Math.max(...own.map((each) => times(term, each, 0))) +
          own.reduce((sum, each) => sum + times(term, each, 1) + times(term, each, 2), 0),
      ]);
      return {
        length: own.reduce((sum, { length }) => sum + length, 0),
        frequencies: new Map(counts.filter(([, count]) => count > 0)),
      };
    },
  };
}

/** Whole numbers have the same sum in whichever order they are added. */
const FRACTION = 2 ** 40;

const keyOf = (text: string) => [...new Set(analyze(text))].sort().join(" ");

/** How far two terms stand apart in a field, one more where the second stands first. */
function leastDistance(field: readonly string[], first: string, second: string): number {
  let least = Number.POSITIVE_INFINITY;
  let lastFirst = Number.NEGATIVE_INFINITY;
  let lastSecond = Number.NEGATIVE_INFINITY;
  for (const [at, term] of field.entries()) {
    if (term === first) {
      least = Math.min(least, at - lastSecond + 1);
      lastFirst = at;
    }
    if (term === second) {
      least = Math.min(least, at - lastFirst);
      lastSecond = at;
    }
  }
  return least;
}
