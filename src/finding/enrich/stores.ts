import type { Enrichment, PassageToEnrich } from "./enrichment.ts";

/** A passage for which nothing was written yet, and the key of its content. */
export interface PendingPassage extends PassageToEnrich {
  passageId: number;
  key: string;
}

/** Some of a site's pending passages. */
interface PendingPart {
  passages: PendingPassage[];
  /** Where the next part begins; undefined behind the last one. */
  next: number | undefined;
}

/** A passage that readers see, with where it is, and what was written for it or why that is not used. */
export interface ListedPassage extends PendingPassage {
  path: string;
  written: Pick<StoredEnrichment, "questions" | "words" | "refused" | "model"> | undefined;
}

/** Some of a site's passages. */
interface ListedPart {
  passages: ListedPassage[];
  /** Where the next part begins; undefined behind the last one. */
  next: number | undefined;
}

/** What a model wrote, or why that is not used. */
export interface StoredEnrichment extends Enrichment {
  refused: string | undefined;
  model: string;
  madeAt: number;
}

/** How much was written for a site, for each content once. */
export interface EnrichmentCounts {
  /** Contents with questions. */
  written: number;
  /** Contents for which the model wrote nothing that can be used. */
  refused: number;
}

/** What was written for a passage that readers see, with where that is. */
export interface EnrichmentSample extends Pick<StoredEnrichment, "questions" | "words" | "model" | "madeAt"> {
  path: string;
  title: string;
  headings: string[];
}

/** What search finds with what was written and without it, asked with the owner's questions. */
export interface EnrichmentMeasure {
  at: number;
  /** The generation that was searched, and how many contents had questions then. */
  generation: number;
  written: number;
  questions: number;
  /** For how many of them the right pages rank higher, and lower. */
  better: number;
  worse: number;
  /** Means of nDCG@10. 0 where there is no question. */
  ndcgWith: number;
  ndcgWithout: number;
  /** The difference of the two lies between these in 95 of 100 draws of as many questions. */
  low: number;
  high: number;
}

/** Keeps what models wrote for passages. It goes with the last passage of the same content. */
export interface EnrichmentStore {
  /** Passages that readers see now, with so many characters at least, by their ids behind one; a bounded part. */
  pending(siteId: number, options: { after: number; charactersMin: number }): Promise<PendingPart>;
  /** The same passages, whether anything was written for them or not. */
  passages(siteId: number, options: { after: number; charactersMin: number }): Promise<ListedPart>;
  /** Gives a passage what was written for its content before. False where nothing was. */
  adopt(siteId: number, passage: Pick<PendingPassage, "passageId" | "key">): Promise<boolean>;
  /** Keeps what was written for a passage. Nothing is kept for one that has gone meanwhile. */
  put(
    siteId: number,
    passage: Pick<PendingPassage, "passageId" | "key">,
    written: StoredEnrichment,
  ): Promise<void>;
  /** What was written for passages, by their ids; without what is not used. */
  of(passageIds: readonly number[]): Promise<Map<number, Enrichment>>;
  counts(siteId: number): Promise<EnrichmentCounts>;
  /** What was written last, for passages that readers see. */
  samples(siteId: number, limit: number): Promise<EnrichmentSample[]>;
  /** Removes what was measured at a site, and what was written for at most so many contents. Returns for how many. */
  removeSome(siteId: number, most: number): Promise<number>;

  /** The time spent on a day, counted from 1970, over all sites. */
  spentMs(day: number): Promise<number>;
  addSpent(day: number, ms: number): Promise<void>;

  measure(siteId: number): Promise<EnrichmentMeasure | undefined>;
  /** `helps`: whether search may count what was written. */
  putMeasure(siteId: number, measure: EnrichmentMeasure, helps: boolean): Promise<void>;
}
