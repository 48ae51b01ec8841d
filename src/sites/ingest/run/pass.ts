import type { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { MenuEntry } from "@docent/reading/page/menu";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { PageReading } from "@docent/reading/page-reading/page-reading";
import type { Source } from "@docent/reading/source";
import type { RecognizedDocs, Skipped } from "@docent/reading/source-reader";
import { type Audit, createAudit } from "../audit/audit.ts";
import type { ImageFacts } from "../images/images.ts";
import type { LinkedPage } from "../link-check.ts";
import type { IngestStore, KnownPage, LedgerEntry, LedgerStore, RunCounts, StagedPage } from "../stores.ts";
import type { HowPagesAreRead } from "./page-hash.ts";

/** How far a run is. */
export interface IngestProgress {
  /** Pages of the source that were met. */
  pages: number;
  /** How many it has, where it lists them all before the first. */
  all: number | undefined;
  /** The page that was just stored, kept or left out. */
  location: string;
}

interface PassDeps {
  store: IngestStore;
  ledger: LedgerStore;
  clock: Clock;
  source: Source;
  /** The run in the index, and the one in the ledger. */
  runId: number;
  ledgerRunId: number;
  reading: HowPagesAreRead;
  pageReading: PageReading;
  onProgress: ((progress: IngestProgress) => void) | undefined;
}

interface PassStart extends PassDeps {
  known: KnownPage[];
  noted: LedgerEntry[];
  /** The run before came to the end of the source. */
  wasWhole: boolean;
  /** How many bytes of images the source may have. */
  imageBytesMax: number;
}

export type PageFault = Pick<LedgerEntry, "location"> & { detail: string };

/** One pass over what a source lists: what is known from before, and what was met so far. */
export interface Pass extends PassDeps {
  /** The revisions of each path: the one that readers see, and the one that is staged. */
  known: ReadonlyMap<string, KnownPage[]>;
  /** What the last run noted, by location. */
  noted: ReadonlyMap<string, LedgerEntry>;
  wasWhole: boolean;
  /** The docs are as they were recognized before. */
  keepsDocs: boolean;
  counts: RunCounts;
  skipped: Skipped[];
  /** What is noticed of how the source is read. */
  audit: Audit;
  /** What was wrong with pages that were read all the same. */
  faults: PageFault[];
  images: ImageShelf;
  /** The docs that the source turned out to hold. */
  docs: RecognizedDocs | undefined;
  /** Addresses that lead to its pages where the docs are no generator's. */
  redirects: PageRedirect[];
  /** Addresses that its docs say for pages which are published at others. */
  moved: PageRedirect[];
  /** The menu of documents that are cut into pages, where the docs are no generator's. */
  menu: MenuEntry[];
  /** The links and anchors of the pages that were read. */
  linked: LinkedPage[];
  /** Paths that the source listed, or that stay although it did not. */
  seen: Set<string>;
  /** Locations of pages that are taken. */
  taken: Set<string>;
  /** Locations of which this run has noted something. */
  met: Set<string>;
  /** Places of which nothing was learned, and why. */
  unlearned: (Skipped & { below: string })[];
  /** How many pages the source has, where it knew that before the first. */
  listed: number | undefined;
  /** What kept the source from being read to its end; undefined where it was. */
  death: AppError | undefined;
  /** Pages that are staged together, and what is noted of others. */
  toStage: { page: StagedPage; entry: LedgerEntry }[];
  toNote: LedgerEntry[];
}

export function beginPass({ known, noted, imageBytesMax, ...deps }: PassStart): Pass {
  return {
    ...deps,
    known: Map.groupBy(known, (page) => page.path),
    noted: new Map(noted.map((entry) => [entry.location, entry])),
    counts: { added: 0, changed: 0, unchanged: 0, removed: 0, passages: 0 },
    skipped: [],
    audit: createAudit(),
    faults: [],
    images: emptyShelf(imageBytesMax),
    docs: undefined,
    redirects: [],
    moved: [],
    menu: [],
    keepsDocs: false,
    linked: [],
    seen: new Set(),
    taken: new Set(),
    met: new Set(),
    unlearned: [],
    listed: undefined,
    death: undefined,
    toStage: [],
    toNote: [],
  };
}

/** What an image is, and what it is called. */
export type Shown = ImageFacts & { hash: string };

/** What a run knows of the images that its source's pages show. */
interface ImageShelf {
  /** How many bytes all of them may have; 0: none are kept. */
  bytesMax: number;
  bytes: number;
  byLocation: Map<string, Shown | undefined>;
  /** Images that are not shown, until that is noted. */
  unshown: Skipped[];
  /** Hashes of those that are counted, and of those whose content was handed over to be stored. */
  counted: Set<string>;
  staged: Set<string>;
}

const emptyShelf = (bytesMax: number): ImageShelf => ({
  bytesMax,
  bytes: 0,
  byLocation: new Map(),
  unshown: [],
  counted: new Set(),
  staged: new Set(),
});
