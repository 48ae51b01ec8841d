import { DAY_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import type { Lease } from "@docent/kernel/lib/lease";
import type { PageFormat, Passage } from "@docent/reading/markdown/page";
import type { MenuEntry } from "@docent/reading/page/menu";
import type { PageMarks } from "@docent/reading/page/page-marks";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { PublishedPage } from "@docent/reading/published/published";
import type { Source, SourceOptions, SourceSpec } from "@docent/reading/source";
import type { SkipReason } from "@docent/reading/source-reader";
import type { PageImage } from "../pages/images.ts";
import type { AddressCheck } from "./check-addresses.ts";
import type { DocsOverview } from "./docs-overview.ts";

/** A source as it is listed, with how its last run ended. */
export interface ListedSource extends Source {
  options: SourceOptions;
  everyMs: number | undefined;
  nextRunAt: number | undefined;
  /** Whether the source was only looked at so far: nobody has said yet that it is to be read. */
  awaitsConsent: boolean;
  lastRun: RunRecord | undefined;
}

/**
 * `previewed`: it was looked at, and nothing of it was read. `refused`: golden questions would have got worse, and what was
 * read stays staged.
 */
export const RUN_OUTCOMES = [
  "published",
  "unchanged",
  "incomplete",
  "failed",
  "previewed",
  "refused",
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** One time that a source was read. */
export interface RunRecord {
  startedAt: number;
  finishedAt: number | undefined;
  /** Undefined while it runs, and when it was interrupted. */
  outcome: RunOutcome | undefined;
  message: string | undefined;
  generation: number | undefined;
  /** The docs generator that the source was recognized by. */
  generator: string | undefined;
  /** What was recognized; kept of the last run that recognized something. */
  docs: DocsOverview | undefined;
  /** Whether the pages are at their published addresses, where that was asked. */
  addresses: AddressCheck | undefined;
  counts: Record<string, number>;
}

/** How often a source may be read again. */
export const EVERY_MS_MIN = MINUTE_MS;
export const EVERY_MS_MAX = 365 * DAY_MS;

interface SourceChange {
  options?: SourceOptions;
  /** null: on demand alone. */
  everyMs?: number | null;
  nextRunAt?: number | null;
}

/** Keeps the sources of sites. */
export interface SourceStore {
  /** The source of that place; added where there is none, and back where it was removed. */
  open(spec: SourceSpec, at: number): Promise<Source>;
  /** Lists the sources that were not removed, and removed ones to whose pages the site went back. */
  list(siteId: number): Promise<ListedSource[]>;
  change(sourceId: number, change: SourceChange): Promise<void>;
  /**
   * Sources of all sites whose next run is due, the longest waiting first. So is one whose next run is later than its
   * interval allows, by more than clocks differ: the clock was ahead when it was noted. Where several servers share the
   * store, each source is given to one of them: to one that has it, as long as there may be one.
   */
  due(at: number, isHere?: (source: Source) => boolean): Promise<ListedSource[]>;
  /** Marks a source as removed. Its row goes with the last generation that shows its pages. */
  remove(sourceId: number, at: number): Promise<void>;
  /**
   * Marks a source as removed of which no page was ever stored or staged, and ends the run that was begun of it. Returns
   * false, and changes nothing, where a page was.
   */
  removeUnread(sourceId: number, at: number): Promise<boolean>;
}

/** Keeps the archives that owners sent where every server finds them: one for each source. */
export interface UploadStore {
  /** Puts an archive in the place of what the source had, whole or not at all. Returns its revision. */
  put(sourceId: number, pieces: () => AsyncIterable<Uint8Array>): Promise<string>;
  /** Of the archive that a source has now: another one has another. Undefined where it has none. */
  revision(sourceId: number): Promise<string | undefined>;
  /** The pieces of that revision in their order. They end early where another took its place meanwhile. */
  read(sourceId: number, revision: string): AsyncIterable<Uint8Array>;
  remove(sourceId: number): Promise<void>;
  /** How many bytes each of a site's sources has, by its id. */
  sizes(siteId: number): Promise<ReadonlyMap<number, number>>;
}

/** A page of the site that a source is published as, as the last look found it. */
export interface KeptPublishedPage extends PublishedPage {
  address: string;
  /** What its server says of this revision; undefined where the page is to be asked for anew. */
  validator: string | undefined;
}

/** Keeps where the pages of sources are published: while a site cannot be reached, they keep the addresses that they had. */
export interface PublishedStore {
  /** By path, in order. */
  list(sourceId: number): Promise<KeptPublishedPage[]>;
  /** Puts pages in the place of those with their paths. */
  put(sourceId: number, pages: readonly KeptPublishedPage[]): Promise<void>;
  remove(sourceId: number, paths: readonly string[]): Promise<void>;
}

/** A page that a run knows: as readers see it, or as an interrupted run left it. */
export interface KnownPage {
  path: string;
  location: string;
  contentHash: string;
  staged: boolean;
  /** This run has marked it for removal, as it does with what it stages another revision of. */
  dropped: boolean;
  /** Whom it is for; none: everyone. */
  groups: string[];
  /** By what the page calls them. */
  images: KnownImage[];
}

/** An image of a page of the index; without a hash, one that was not there, or is not shown. */
export interface KnownImage {
  reference: string;
  hash: string | undefined;
}

/** An image as it goes into the index. */
export interface StagedImage extends Pick<PageImage, "hash" | "width" | "height"> {
  type: string;
  /** Left out where this run has handed it over already. */
  content: Uint8Array | undefined;
}

/** A page as it goes into the index. */
export interface StagedPage {
  path: string;
  /** A curated answer is no page to its readers: it is not counted, searched, or opened. */
  kind: "page" | "answer";
  /** Where it was found. Links in the page are relative to it. */
  location: string;
  title: string;
  description: string | undefined;
  frontMatter: Record<string, unknown>;
  tags: string[];
  groups: string[];
  hidden: boolean;
  markdown: string;
  contentHash: string;
  passages: Passage[];
  /** Of a question out of a tracker, the day on which it was answered; undefined for a page of docs. */
  answered?: string | undefined;
  /** Its version and language; those of its source where it is not marked. */
  marks?: PageMarks | undefined;
  /** What the page calls its images, and what they are; undefined for one that is not shown. */
  images?: { reference: string; image: StagedImage | undefined }[];
}

/** What a run did, in pages. */
export interface RunCounts {
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** Passages of what was added or changed. */
  passages: number;
}

/** What a run that changes something ends with. */
export interface RunEnd {
  counts: RunCounts;
  /** The menu of the source's pages, where it is another than before. */
  menu?: MenuEntry[] | undefined;
  /** The old addresses of its pages, where they are others than before. */
  redirects?: PageRedirect[] | undefined;
  /**
   * The run in the ledger, which has published by then, and why it did not read all of its source: noted with the switch,
   * so that a run that is cut off behind it is not told as one that changed nothing.
   */
  ledgerRun?: { id: number; incomplete: string | undefined } | undefined;
  at: number;
}

/** Keeps what the runs of sources stage. Nothing staged is visible before `publish`. */
export interface IngestStore {
  /** Starts a run, or resumes one that was interrupted. Generations that the site went back from are undone first. */
  openRun(source: Source, at: number): Promise<{ runId: number; resumed: boolean }>;
  knownPages(source: Source, runId: number): Promise<KnownPage[]>;
  /** Stages pages in place of their visible revisions, in one write. */
  stage(source: Source, runId: number, pages: StagedPage[]): Promise<void>;
  /** Takes back what this run staged or marked for these paths: the visible revision is right. */
  keep(source: Source, runId: number, paths: string[]): Promise<void>;
  /** Marks the visible revisions of these paths for removal, and takes back what was staged for them. */
  drop(source: Source, runId: number, paths: string[]): Promise<void>;
  /** The switch: makes what was staged what readers see. Returns the generation's number. */
  publish(source: Source, runId: number, end: RunEnd): Promise<number>;
  /** The menu that readers see of a source's pages; empty where its docs have none. */
  menu(source: Source): Promise<MenuEntry[]>;
  /** The old addresses that lead readers to a source's pages. */
  redirects(source: Source): Promise<PageRedirect[]>;
  /** Ends a run that found nothing to change. */
  discard(runId: number): Promise<void>;
  /** Removes what no kept generation shows any more. */
  prune(siteId: number, keepGenerations: number): Promise<void>;
  /** Runs one at a time for each source, across processes. Raises `conflict` when another run holds it. */
  lock(source: Source): Promise<Lease>;
}

/** What a run can decide of a page: `kept` is one of which nothing was learned, so that it stays as it was. */
export const DECISIONS = ["added", "changed", "unchanged", "removed", "kept", "skipped"] as const;
export type Decision = (typeof DECISIONS)[number];

/** What a run noted about one page or address. */
export interface LedgerEntry {
  location: string;
  path: string | undefined;
  format: PageFormat | undefined;
  /** How it was found. */
  found: string;
  decision: Decision;
  /** Why it was skipped or kept, or why a page that was taken is not found: it is hidden, or has no words. */
  reason: SkipReason | undefined;
  detail: string | undefined;
  /** Undefined where the page was not read: what was noted before stands. */
  passages: number | undefined;
  contentHash: string | undefined;
  validator: string | undefined;
  links: string[];
  tookMs: number;
  decidedAt: number;
}

/** Which entries are asked for. */
export interface LedgerPart {
  /** Only entries behind this location. */
  after?: string | undefined;
  /** Only entries with one of these decisions. */
  decisions?: readonly Decision[] | undefined;
  limit: number;
}

/** A run that has come to its end. */
interface EndedRun {
  id: number;
  outcome: RunOutcome;
  finishedAt: number;
}

/** Learns what a site's passages say of questions that have nothing to do with it. */
export interface SiteCalibrator {
  /** Calibrates the generation that readers see, unless that was done. */
  calibrate(siteId: number, signal: AbortSignal): Promise<void>;
}

/** A run that is about to be published. */
export interface StagedRun {
  source: Source;
  runId: number;
  /** The generation that readers see. */
  generation: number;
  /** The old addresses that lead to pages of the source once it is published. */
  redirects: readonly PageRedirect[];
  /** Whether the run is published only where no golden question gets worse. */
  isRequired: boolean;
  signal: AbortSignal;
}

/** What a golden question finds. */
interface QuestionStanding {
  /** The place of its page among those that are found; undefined where it is not among them. */
  rank?: number | undefined;
  /** The page that comes first. */
  first?: string | undefined;
  /** Whether what is found is relevant enough for an answer. */
  isAnswered: boolean;
}

/** A golden question that finds its page at another place. */
export interface QuestionChange {
  question: string;
  expected: string[];
  before: QuestionStanding;
  after: QuestionStanding;
  /** Of one that gets worse: why, for people. */
  why: string | undefined;
}

/** What golden questions say of a run. */
export interface GoldenOutcome {
  /** Under which it is kept. */
  checkId: string;
  asked: number;
  /** Those for which there was no time. */
  unasked: number;
  worse: QuestionChange[];
  better: QuestionChange[];
  /** Whether the run is not published because of the questions that got worse. */
  isRefused: boolean;
}

/** A run that readers see. */
export interface PublishedRun {
  source: Source;
  before: number;
  generation: number;
  golden: GoldenOutcome | undefined;
  signal: AbortSignal;
}

/** Looks at what runs change for readers. */
export interface SwitchWatch {
  /** Asks golden questions of what a run has staged; undefined where there are none, or readers see nothing yet. */
  beforeSwitch(run: StagedRun): Promise<GoldenOutcome | undefined>;
  /** Keeps what a generation changed, once readers see it. */
  afterSwitch(run: PublishedRun): Promise<void>;
}

/** Keeps what each run decided. */
export interface LedgerStore {
  beginRun(source: Source, at: number): Promise<number>;
  record(source: Source, runId: number, entries: LedgerEntry[]): Promise<void>;
  /** Notes what a run recognized its source as, before anything of it is read. */
  noteDocs(source: Source, runId: number, generator: string, docs: DocsOverview): Promise<void>;
  /** Notes how far a run is that has not ended. */
  noteProgress(runId: number, counts: Record<string, number>): Promise<void>;
  /** Ends a run. What a whole one did not meet is struck out; after any other it stands. */
  endRun(
    source: Source,
    runId: number,
    end: {
      outcome: RunOutcome;
      message?: string | undefined;
      generation?: number | undefined;
      addresses?: AddressCheck | undefined;
      counts: Record<string, number>;
      at: number;
    },
  ): Promise<void>;
  /** By location, in order. */
  entries(sourceId: number): Promise<LedgerEntry[]>;
  /** A part of them, in the same order. */
  part(sourceId: number, part: LedgerPart): Promise<LedgerEntry[]>;
  /** What was noted of a path by the sources of a site, or of places that end in it where they gave no page. */
  about(siteId: number, path: string, limit: number): Promise<(LedgerEntry & { source: number })[]>;
  /** The latest runs, the newest first. */
  runs(sourceId: number, limit: number): Promise<RunRecord[]>;
  /** The runs of all sources that have ended since then. */
  endedRuns(since: number): Promise<EndedRun[]>;
  /** The runs of all sources that go on, or were cut off before they could note their end. */
  unended(): Promise<UnendedRun[]>;
  /**
   * Ends what runs of a source have left open, as what they came to: those that had published as that, the others as failed
   * with this message. Whoever calls it holds the source, so that none of them goes on.
   */
  settle(source: Pick<Source, "id">, end: { message: string; at: number }): Promise<void>;
  /** The latest run of a source that has ended; 0 where none has. */
  lastEnded(sourceId: number): Promise<number>;
  /** The runs of a source that came after one, the oldest first. */
  runsAfter(sourceId: number, runId: number): Promise<RunRecord[]>;
}

export interface UnendedRun {
  id: number;
  siteId: number;
  sourceId: number;
}

/** The state of a site's index after one run. */
export interface Generation {
  number: number;
  source: { id: number; kind: string; location: string };
  counts: Record<string, number>;
  finishedAt: number;
  /** What readers see now. */
  isVisible: boolean;
}

/** Keeps the generations that can be returned to. */
export interface GenerationStore {
  /** The newest first. */
  list(siteId: number): Promise<Generation[]>;
  /**
   * Makes a kept generation the visible one. Raises `conflict` while a source of the site is read, and `not_found` for
   * one that is not kept.
   */
  show(siteId: number, number: number): Promise<void>;
}

/** A passage that has no vector yet. */
export interface UnembeddedPassage {
  passageId: number;
  title: string;
  headings: string[];
  text: string;
}

/** A passage's vector as it is kept; undefined where the embedder knows nothing of the text. */
export interface StoredVector {
  passageId: number;
  bits: Uint8Array | undefined;
  vector: Int8Array | undefined;
}

/** A passage with what was written for it, of which there is no vector yet. */
export interface UnembeddedWriting extends Omit<UnembeddedPassage, "passageId"> {
  id: number;
  questions: string[];
  words: string[];
}

/** The vector of a passage with what was written for it, as a passage's own is kept. */
interface WritingVector extends Omit<StoredVector, "passageId"> {
  id: number;
}

/** Keeps the vectors of passages beside each other, by what made them. */
export interface VectorStore {
  /** The number of an embedder, by its identity. */
  embedder(identity: string, dimensions: number): Promise<number>;
  /** Gives passages of a run the vectors of the revision before, where their words are the same. */
  reuse(runId: number, embedderId: number): Promise<void>;
  /** Passages of a site, in any generation, without a vector of this embedder; those with greater ids than `after`. */
  missing(siteId: number, embedderId: number, after: number, limit: number): Promise<UnembeddedPassage[]>;
  put(embedderId: number, vectors: StoredVector[]): Promise<void>;
  /** Some of what was written for passages of a site that has no vector of this embedder. */
  missingWritings(siteId: number, embedderId: number, limit: number): Promise<UnembeddedWriting[]>;
  /** Keeps vectors of what was written, each in place of another embedder's. What is written anew loses its own. */
  putWritings(embedderId: number, vectors: readonly WritingVector[]): Promise<void>;
  /** The embedder whose vectors the site's search uses. */
  current(siteId: number): Promise<number | undefined>;
  /** Makes the site's search use these vectors, and removes the others; those, too, that a swap before has left. */
  swap(siteId: number, embedderId: number): Promise<void>;
}

/** Keeps the keyword index of sites in step with their passages. */
export interface PassageIndexer {
  /** Indexes the passages that are not yet: of the site, or of one run. What is cut short goes on from there. */
  catchUp(
    siteId: number,
    options: { runId?: number; signal: AbortSignal; onProgress?: (done: number, all: number) => void },
  ): Promise<void>;
  /** Makes an index smaller that many runs have written to. */
  tidy(siteId: number, signal: AbortSignal): Promise<void>;
}
