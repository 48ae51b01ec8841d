import {
  createEnricher,
  type Enricher,
  type EnrichmentState,
  mayCount,
  removeWritten,
  type WrittenLine,
} from "@docent/finding/enrich/enrich";
import type { EnrichmentMeasure } from "@docent/finding/enrich/stores";
import {
  createIndexKeeper,
  type IndexKeeper,
  SegmentDamaged,
} from "@docent/finding/search/keyword-index/keyword-index";
import { DAY_MS, HOUR_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Sources, Vectors } from "@docent/sites/ingest/ingest";
import type { Site } from "@docent/sites/site/sites";
import type { Answers } from "../answers/answers.ts";
import type { Content } from "../content.ts";
import type { Ground } from "../parts.ts";
import type { People } from "../people.ts";
import type { Reports } from "../reports.ts";
import { exportLines, type Imported, importLines } from "./carry.ts";

/** What models write for the passages of sites. */
export interface Enrichments {
  enricher: Enricher;
  /** Asks the owner's kept questions with what was written and without it, and keeps what that showed. */
  measure(site: Site, signal: AbortSignal): Promise<EnrichmentMeasure>;
  /** Measures where nothing was, or much has been written or published since. */
  measureIfDue(site: Site, signal: AbortSignal): Promise<void>;
  state(site: Site): Promise<EnrichmentState>;
  /** What was written for a site, as lines of a file; or what is missing, with the text that it is to be written for. */
  export(siteId: number, options: { missing: boolean; signal: AbortSignal }): AsyncIterable<WrittenLine>;
  /** Takes over the lines of such a file, brings them into the index, and measures what they are worth. */
  import(site: Pick<Site, "id" | "domain">, text: string, signal: AbortSignal): Promise<Imported>;
  /** Removes all that was written for a site. Returns for how many different passages that was. */
  removeAll(site: Site, signal: AbortSignal): Promise<number>;
}

interface Uses {
  content: Content;
  answers: Answers;
  reports: Reports;
  vectors: Vectors;
  people: Pick<People, "sites">;
}

/** More show nothing more, and each is searched for twice. */
const QUESTIONS_MAX = 400;
const SAMPLES = 5;
/** How much larger what was written must have become before its effect is measured again. */
const GROWN_SHARE = 1.1;
const MEASURED_EVERY_MS = HOUR_MS;
const FILE = "the kept questions";

export function openEnrichments(ground: Ground, uses: Uses): Enrichments {
  const { config, clock, log, storage } = ground;
  const { enrichments: store, enrichmentSegments } = storage.content;
  const keeper = createIndexKeeper({ store: enrichmentSegments, log });
  const inIndex = indexWith(keeper);

  /** Vectors come first: with its segments, search takes what was written as a whole. */
  async function index(siteId: number, signal: AbortSignal): Promise<void> {
    await uses.vectors.completeWritings(siteId, signal);
    await inIndex(siteId, signal);
  }

  async function measure(site: Site, signal: AbortSignal): Promise<EnrichmentMeasure> {
    const measured = await askOwnersQuestions(uses, site, signal);
    const { written } = await store.counts(site.id);
    const made = { at: clock(), generation: site.generation, written, ...measured };
    await store.putMeasure(site.id, made, mayCount(made));
    if (site.settings.enrichment === "on" && mayCount(made))
      await uses.content.calibrator.calibrateAnew(site.id, signal);
    return made;
  }

  return {
    enricher: createEnricher({
      settings: config,
      store,
      writer: uses.answers.ollama.background,
      reach: uses.content.search.reach,
      index,
      clock,
      log,
    }),
    measure,
    async measureIfDue(site, signal) {
      if (await isDue(ground, uses, site)) await measure(site, signal);
    },
    state: (site) => stateOf(ground, uses, site),
    export: (siteId, options) => exportLines({ store }, siteId, options),
    async import(site, text, signal) {
      const deps = { store, reach: uses.content.search.reach, clock };
      const { isReplacing, ...imported } = await importLines(deps, site.id, { text, signal });
      if (isReplacing) await keeper.rebuild(site.id, signal);
      await index(site.id, signal);
      const now = await uses.people.sites.get(site.domain);
      if (imported.taken > 0 && now.settings.enrichment !== "off") await measure(now, signal);
      return imported;
    },
    async removeAll(site, signal) {
      const removed = await removeWritten(store, site.id, signal);
      // Segments of which nothing is left are taken away.
      await inIndex(site.id, signal);
      return removed;
    },
  };
}

/** Whether what was written, the docs or the questions have changed since it was measured. */
async function isDue({ clock, storage }: Ground, uses: Uses, site: Site): Promise<boolean> {
  const { enrichments: store } = storage.content;
  const before = await store.measure(site.id);
  if (before !== undefined && clock() - before.at < MEASURED_EVERY_MS) return false;
  const { written } = await store.counts(site.id);
  const isOther =
    before?.generation !== site.generation ||
    written > before.written * GROWN_SHARE ||
    (await ownersQuestions(uses, site)).length !== before.questions;
  return written > 0 && isOther;
}

async function stateOf(
  { config, clock, storage }: Ground,
  { content }: Pick<Uses, "content">,
  site: Site,
): Promise<EnrichmentState> {
  const { enrichments: store } = storage.content;
  return {
    mode: site.settings.enrichment,
    counts: await store.counts(site.id),
    passages: (await content.pages.countPages(site.id)).passages,
    spentMs: await store.spentMs(Math.floor(clock() / DAY_MS)),
    minutesPerDay: config.enrichment_minutes_per_day,
    measure: await store.measure(site.id),
    samples: await store.samples(site.id, SAMPLES),
  };
}

/** Brings what was written into the index; what is damaged there is made anew. */
function indexWith(keeper: IndexKeeper) {
  return async (siteId: number, signal: AbortSignal): Promise<void> => {
    try {
      await keeper.catchUp(siteId, { signal });
      await keeper.tidy(siteId, signal);
    } catch (error) {
      if (!(error instanceof SegmentDamaged)) throw error;
      await keeper.repair(siteId, signal);
    }
  };
}

/** What measures comes with the first measurement: few sites have one. */
async function loadMeasuring() {
  const [datasets, question, system, places, paired] = await Promise.all([
    import("@docent/measuring/eval/datasets/datasets"),
    import("@docent/measuring/eval/question"),
    import("@docent/measuring/eval/docent-system"),
    import("@docent/measuring/eval/known-places"),
    import("@docent/measuring/eval/paired"),
  ]);
  return { ...datasets, ...question, ...system, ...places, ...paired };
}

/** The questions that an owner kept for evaluation, or as many of them. */
async function ownersQuestions({ reports }: Pick<Uses, "reports">, { id, url }: Site) {
  const text = await reports.analytics.evaluation.file(id);
  if (text === "") return [];
  const { parseQuestions, sampleOf } = await loadMeasuring();
  return sampleOf(parseQuestions(text, FILE, url), QUESTIONS_MAX);
}

/** What search finds for the owner's questions, with what was written and without it. */
async function askOwnersQuestions(uses: Uses, site: Site, signal: AbortSignal) {
  const { search, pages } = uses.content;
  const { docentSystems, keepKnownPlaces, measurePaired } = await loadMeasuring();
  const { questions } = await keepKnownPlaces(await ownersQuestions(uses, site), pages, site.id);
  const systems = docentSystems({ search, siteId: site.id, embedder: "", places: undefined });
  const paired = await measurePaired(questions, [systems.enriched, systems.unenriched], signal);
  const { better, worse, first: ndcgWith, second: ndcgWithout, low, high } = paired;
  return { questions: paired.questions, better, worse, ndcgWith, ndcgWithout, low, high };
}

/**
 * The same sources, whose runs take over the questions for passages that stand beside the docs: once readers see the pages
 * that these are for. What fails there fails no run.
 */
export function takeWritten(sources: Sources, enrichments: Pick<Enrichments, "import">, log: Log): Sources {
  const { ofSites } = sources;
  return {
    ...sources,
    ofSites: {
      ...ofSites,
      async run(site, source, options) {
        let content: Uint8Array | undefined;
        const report = await ofSites.run(site, source, {
          ...options,
          onWritten(found) {
            content = found;
          },
        });
        if (content === undefined || report.previewed || report.refused !== undefined) return report;
        const about = { site: site.domain };
        try {
          const text = new TextDecoder().decode(content);
          const { lines, taken, refused, unreadable } = await enrichments.import(site, text, options.signal);
          if (taken + refused + unreadable.length > 0)
            log.info("questions beside the docs were read", {
              ...about,
              lines,
              taken,
              refused,
              unreadable: unreadable.length,
            });
        } catch (error) {
          options.signal.throwIfAborted();
          log.warn("questions beside the docs could not be taken over", { ...about, ...reasonFields(error) });
        }
        return report;
      },
    },
  };
}
