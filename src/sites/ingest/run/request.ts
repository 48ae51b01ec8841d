import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { RunSigns } from "@docent/kernel/text/lost-links/run-signs";
import type { AnchorStyle } from "@docent/reading/markdown/page";
import type { PageReading } from "@docent/reading/page-reading/page-reading";
import type { SourceSpec } from "@docent/reading/source";
import type { FoundDocs, RecognizedDocs, Skipped, SourceReader } from "@docent/reading/source-reader";
import type { AddressCheck } from "../check-addresses.ts";
import type { LinkCheck, LinkedPage } from "../link-check.ts";
import type {
  GoldenOutcome,
  IngestStore,
  LedgerStore,
  PassageIndexer,
  PublishedStore,
  RunCounts,
  SiteCalibrator,
  SwitchWatch,
} from "../stores.ts";
import type { Vectors } from "../vectors.ts";
import type { IngestProgress, PageFault } from "./pass.ts";
import type { PublishedReport, PublishedSite } from "./published/published.ts";

/** What a run was published as, and what golden questions said of it before. */
export interface Published {
  /** The generation that readers see now. */
  generation: number;
  golden: GoldenOutcome | undefined;
  /** Why it was not published, where golden questions were against it. */
  refused: string | undefined;
}

export interface IngestReport extends RunCounts, Published {
  /** An interrupted run was taken up again. */
  resumed: boolean;
  skipped: Skipped[];
  /** What was wrong with pages that were read all the same. */
  faults: PageFault[];
  /** Whether the source was only looked at: nothing was read or published. */
  previewed: boolean;
  /** The docs that the source holds, where a generator's were recognized. */
  docs: RecognizedDocs | undefined;
  /** Why the source was not read to its end; what was not reached is as before. */
  incomplete: string | undefined;
  /** Whether the pages are at their published addresses, where that was asked. */
  addresses: AddressCheck | undefined;
  /** What was noticed of how the source was read; undefined for one that is not files. */
  signs: RunSigns | undefined;
  /** Whether links between the pages lead anywhere; undefined where most of them were not read by this run. */
  links: LinkCheck | undefined;
  /** How many pages were found on the site that the source is published as, where it is named. */
  published: PublishedReport | undefined;
}

export interface IngestRequest {
  source: SourceSpec;
  reader: SourceReader;
  /** The generation that readers see before the run. */
  generation: number;
  /** The generator whose anchors the site's headings have. Default: GitHub. */
  anchors?: AnchorStyle;
  /** The groups that the source's pages are for. Default: everyone. */
  groups?: readonly string[] | undefined;
  /** Ends before the first page where the docs of a generator are recognized, so that somebody can look at them. */
  preview?: boolean;
  /** Takes pages away even where the source lists far fewer than before. */
  force?: boolean;
  /** Leaves what it has read staged where a golden question would get worse. */
  requiresGolden?: boolean;
  /** The site that the source is published as: its pages have the addresses and ids that it gives them. */
  published?: PublishedSite | undefined;
  /** Looks whether the links between the pages that were read lead anywhere, once readers see them. */
  checkLinks?: (generation: number, pages: readonly LinkedPage[]) => Promise<LinkCheck>;
  /** Asks for pages at their published addresses, once readers see them. */
  checkAddresses?: (paths: readonly string[]) => Promise<AddressCheck>;
  signal: AbortSignal;
  onProgress?: (progress: IngestProgress) => void;
  /** Called before the first page of a source that is files: which generator's docs they are, if any's. */
  onRecognized?: ((docs: FoundDocs) => void) | undefined;
  /** Called with the questions for passages that stand beside the docs. */
  onWritten?: ((content: Uint8Array) => void) | undefined;
  /** Called while passages get their vectors. */
  onEmbedding?: (passages: number) => void;
  /** Called while they are indexed: how many are, of how many. */
  onIndexing?: (passages: number, all: number) => void;
  /** Called with what golden questions say of the run, before readers see anything of it. */
  onGolden?: (outcome: GoldenOutcome) => void;
}

/** What a run works with. */
export interface RunDeps {
  store: IngestStore;
  ledger: LedgerStore;
  published: PublishedStore;
  vectors: Vectors;
  index: PassageIndexer;
  calibrator: SiteCalibrator;
  watch: SwitchWatch;
  clock: Clock;
  log: Log;
  pageReading: PageReading;
  pagesMax: number;
  imageBytesMax: number;
}

/** A run as the ledger knows it. */
export interface BegunRun {
  ledgerRunId: number;
  /** The run before came to the end of the source. */
  wasWhole: boolean;
}
