import {
  chooseLeading,
  judgeWriting,
  lineName,
  PASSAGE_CHARACTERS_MIN,
  ROUNDS,
  readWrittenLines,
  roundOf,
  toLine,
  toUnwrittenLine,
  type UnwrittenLine,
  type WrittenLine,
} from "@docent/finding/enrich/enrich";
import type { EnrichmentStore, ListedPassage } from "@docent/finding/enrich/stores";
import type { PassageReacher } from "@docent/finding/search/search";
import type { Clock } from "@docent/kernel/lib/clock";

/** What became of a file with what was written for passages. */
export interface Imported {
  /** Lines with questions. */
  lines: number;
  /** The numbers of some lines that cannot be read. */
  unreadable: number[];
  /** Passages that have the questions of a line now. */
  taken: number;
  /** Passages that had them before. */
  unchanged: number;
  /** Passages whose line has no question that leads to them. */
  refused: number;
}

interface CarryDeps extends Pick<PassageReacher, "reach"> {
  store: Pick<EnrichmentStore, "passages" | "put">;
  clock: Clock;
}

/** What was written for a site's passages, a line for each; or those for which nothing was, the most urgent ones first. */
export async function* exportLines(
  { store }: Pick<CarryDeps, "store">,
  siteId: number,
  { missing, signal }: { missing: boolean; signal: AbortSignal },
): AsyncGenerator<WrittenLine | UnwrittenLine> {
  const told = new Set<string>();
  for (let round = 0; round < (missing ? ROUNDS : 1); round++)
    for await (const passage of passagesOf(store, siteId, signal)) {
      const { key } = passage;
      const isWritten = passage.written !== undefined && passage.written.refused === undefined;
      if (isWritten === missing || told.has(key) || (missing && roundOf(passage) !== round)) continue;
      told.add(key);
      yield missing ? toUnwrittenLine(passage) : toLine(passage);
    }
}

/**
 * Takes over what a file says. It is judged as what a model writes here is. `isReplacing`: a passage had something else
 * before, so that the index has to be made anew.
 */
export async function importLines(
  { store, reach, clock }: CarryDeps,
  siteId: number,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<Imported & { isReplacing: boolean }> {
  const lines = readWrittenLines(text);
  const { count, unreadable } = lines;
  const done = { lines: count, unreadable, taken: 0, unchanged: 0, refused: 0, isReplacing: false };
  for await (const passage of passagesOf(store, siteId, signal)) {
    const line = lines.of(passage);
    if (line === undefined) continue;
    const model = lineName(line);
    const before = passage.written;
    if (before?.model === model) {
      if (before.refused === undefined) done.unchanged++;
      else done.refused++;
      continue;
    }
    const kept = await keptOf(line, passage, (asked) => reach(siteId, passage.passageId, asked));
    const made = { model, madeAt: clock() };
    if ("refused" in kept) done.refused++;
    else done.taken++;
    const written =
      "refused" in kept ? { questions: [], words: [], ...kept } : { ...kept, refused: undefined };
    await store.put(siteId, passage, { ...written, ...made });
    done.isReplacing ||= before !== undefined;
  }
  return done;
}

async function keptOf(
  line: WrittenLine,
  passage: ListedPassage,
  reachOf: Parameters<typeof chooseLeading>[1],
) {
  const read = judgeWriting(line, passage);
  if ("refused" in read) return read;
  return (await chooseLeading(read.enrichment, reachOf)) ?? ({ refused: "far" } as const);
}

async function* passagesOf(
  store: Pick<EnrichmentStore, "passages">,
  siteId: number,
  signal: AbortSignal,
): AsyncGenerator<ListedPassage> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    signal.throwIfAborted();
    const part: Awaited<ReturnType<EnrichmentStore["passages"]>> = await store.passages(siteId, {
      after,
      charactersMin: PASSAGE_CHARACTERS_MIN,
    });
    yield* part.passages;
    after = part.next;
  }
}
