import { createRecentlyUsed } from "@docent/kernel/lib/remember";
import type { Candidate, PassageRun, SearchStore } from "./search-store.ts";

/** Reads passages, and keeps those that were read last. */
export interface KeptPassages extends Pick<SearchStore, "load"> {
  runs(runs: readonly PassageRun[]): Promise<ReadPassages>;
}

interface ReadPassages {
  passages: Candidate[];
  /** Whether all of them were in memory: then they are as they were, whatever has been removed since. */
  wereKept: boolean;
}

/** What a passage takes besides its texts. */
const BYTES_BESIDES = 800;
const PLACE_BYTES = 50;
/** Of the memory, what says where passages stand in their pages. */
const PLACES_SHARE = 1 / 16;
/** The id in a place where a page has no passage. */
const NOBODY = 0;

/**
 * The same passages are found by one question after another, and to read them is a fifth of what a search takes. A passage
 * never changes, and its id is never given again, so what is kept needs no renewal.
 */
export function keepPassages(store: Pick<SearchStore, "load" | "runs">, bytesMax: number): KeptPassages {
  const kept = createRecentlyUsed<number, Candidate>(bytesMax * (1 - PLACES_SHARE));
  /** The ids of a page's passages by their positions, as far as they were read. */
  const placesOf = createRecentlyUsed<number, Map<number, number>>(bytesMax * PLACES_SHARE);

  function keep(read: readonly Candidate[]): void {
    for (const passage of read) kept.put(passage.passageId, passage, bytesOf(passage));
  }

  function keepPlaces(runs: readonly PassageRun[], read: readonly Candidate[]): void {
    const ofPage = Map.groupBy(read, ({ pageId }) => pageId);
    for (const { pageId, first, last } of runs) {
      const places = placesOf.get(pageId) ?? new Map<number, number>();
      for (let position = Math.max(0, first); position <= last; position++)
        if (!places.has(position)) places.set(position, NOBODY);
      for (const { position, passageId } of ofPage.get(pageId) ?? []) places.set(position, passageId);
      placesOf.put(pageId, places, places.size * PLACE_BYTES);
    }
  }

  /** Undefined where a passage of the run is not known. */
  function keptOf({ pageId, first, last }: PassageRun): Candidate[] | undefined {
    const places = placesOf.get(pageId);
    if (places === undefined) return undefined;
    const found: Candidate[] = [];
    for (let position = Math.max(0, first); position <= last; position++) {
      const id = places.get(position);
      const passage = id === undefined || id === NOBODY ? undefined : kept.get(id);
      if (passage !== undefined) found.push(passage);
      else if (id !== NOBODY) return undefined;
    }
    return found;
  }

  return {
    async load(passageIds) {
      const wanted = [...new Set(passageIds)];
      const known = wanted.flatMap((id) => kept.get(id) ?? []);
      if (known.length === wanted.length) return known.sort(byId);
      const there = new Set(known.map(({ passageId }) => passageId));
      const read = await store.load(wanted.filter((id) => !there.has(id)));
      keep(read);
      return [...known, ...read].sort(byId);
    },
    async runs(runs) {
      const known: Candidate[] = [];
      const unknown: PassageRun[] = [];
      for (const run of runs) {
        const own = keptOf(run);
        if (own === undefined) unknown.push(run);
        else known.push(...own);
      }
      const read = unknown.length === 0 ? [] : await store.runs(unknown);
      keep(read);
      keepPlaces(unknown, read);
      const all = new Map([...known, ...read].map((passage) => [passage.passageId, passage]));
      return { passages: [...all.values()].sort(byPlace), wereKept: unknown.length === 0 };
    },
  };
}

const byId = (a: Candidate, b: Candidate) => a.passageId - b.passageId;
const byPlace = (a: Candidate, b: Candidate) => a.pageId - b.pageId || a.position - b.position;

const bytesOf = ({ markdown, text }: Candidate) =>
  BYTES_BESIDES + Buffer.byteLength(markdown) + Buffer.byteLength(text);
