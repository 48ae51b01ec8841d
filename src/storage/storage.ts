import type { AnswerCacheStore } from "@docent/answering/answer/cache/cache";
import type { ModelLine } from "@docent/answering/answer/model-line";
import type { CuratedStore } from "@docent/answering/curated/curated-store";
import type { RetentionStore } from "@docent/answering/threads/retention";
import type { ThreadStore } from "@docent/answering/threads/threads";
import type { EnrichmentStore } from "@docent/finding/enrich/stores";
import type { SegmentStore } from "@docent/finding/search/keyword-index/segment-store";
import type { CalibrationStore } from "@docent/finding/search/relevance/relevance";
import type { PlainIndex, SearchStore } from "@docent/finding/search/search-store";
import type { Lease } from "@docent/kernel/lib/lease";
import type { Log } from "@docent/kernel/lib/log";
import type {
  ConversationListStore,
  ConversationStore,
  EvaluationStore,
  EventStore,
  FeedbackStore,
  OverviewStore,
  SearchLogStore,
  SearchReportStore,
  TurnStore,
} from "@docent/measuring/analytics/stores";
import type { GapStore } from "@docent/measuring/gaps/stores";
import type { GenerationReportStore, GoldenStore } from "@docent/measuring/golden/stores";
import type { AuditStore } from "@docent/people/audit/stores";
import type { OnceStore } from "@docent/people/identity/stores";
import type { AdminKeyStore } from "@docent/people/keys/admin-keys";
import type { KeyStore } from "@docent/people/keys/keys";
import type { PlaceStore } from "@docent/people/limits/concurrency";
import type { LimitStore } from "@docent/people/limits/limits";
import type { MemberStore, SessionStore } from "@docent/people/members/stores";
import type { ReaderSessionStore, SiteSecretStore } from "@docent/people/readers/stores";
import type { RunJobStore } from "@docent/sites/ingest/run-jobs/run-jobs";
import type {
  GenerationStore,
  IngestStore,
  LedgerStore,
  PublishedStore,
  SourceStore,
  UploadStore,
  VectorStore,
} from "@docent/sites/ingest/stores";
import type { NoticeStore } from "@docent/sites/notices/stores";
import type { ImageStore } from "@docent/sites/pages/images";
import type { PageInventory } from "@docent/sites/pages/inventory";
import type { PageStore } from "@docent/sites/pages/pages";
import type { SiteStore } from "@docent/sites/site/sites";

/** All that Docent keeps: the store of every feature, and what the application needs of the engine beneath them. */
export interface Storage {
  /** What the docs say: where it comes from, how it came, and how it is found. */
  content: {
    sources: SourceStore;
    ingest: IngestStore;
    ledger: LedgerStore;
    published: PublishedStore;
    generations: GenerationStore;
    pages: PageStore;
    images: ImageStore;
    inventory: PageInventory;
    passageVectors: VectorStore;
    search: SearchStore;
    segments: SegmentStore;
    /** The same, of what was written for passages. */
    enrichmentSegments: SegmentStore;
    enrichments: EnrichmentStore;
    calibrations: CalibrationStore;
    curated: CuratedStore;
    /** The archives that owners sent; undefined where they are files of the data directory. */
    uploads: UploadStore | undefined;
    /** The runs that were asked of servers; undefined where there can be one alone, and for commands. */
    runJobs: RunJobStore | undefined;
  };
  /** Who may do what, where, and how often; and what they did. */
  people: {
    sites: SiteStore;
    keys: KeyStore;
    adminKeys: AdminKeyStore;
    members: MemberStore;
    sessions: SessionStore;
    limits: LimitStore;
    /** What servers count together of answers that are being read; undefined where there can be one alone, and for commands. */
    places: PlaceStore | undefined;
    once: OnceStore;
    audit: AuditStore;
    notices: NoticeStore;
    siteSecrets: SiteSecretStore;
    readerSessions: ReaderSessionStore;
  };
  /** What readers asked and were answered. */
  conversations: {
    threads: ThreadStore;
    turns: TurnStore;
    feedback: FeedbackStore;
    answerCache: AnswerCacheStore;
    retention: RetentionStore;
    /** The line that servers share; undefined where there can be one alone, and for commands. */
    modelLine: ModelLine | undefined;
  };
  /** What owners read of what readers do. */
  reports: {
    overview: OverviewStore;
    conversations: ConversationStore;
    conversationList: ConversationListStore;
    gaps: GapStore;
    events: EventStore;
    searchLog: SearchLogStore & SearchReportStore;
    evaluation: EvaluationStore;
    golden: GoldenStore;
    generationReports: GenerationReportStore;
  };
  meta: MetaStore;
  /** Nothing can be stored: what is there can be read. */
  isReadOnly: boolean;
  describe(): Promise<StorageDescription>;
  /** Whether it can be reached at the moment. It is told within two seconds, and may be asked as often as one likes. */
  answers(): Promise<boolean>;
  /** Gives back the memory in which it keeps what was read: it is read again where it is needed. */
  releaseMemory(): void;
  /** What is damaged in it; undefined where it is sound. */
  fault(): Promise<string | undefined>;
  /** Writes a copy of everything, as of one moment, while it stays in use. */
  backUp(file: string): Promise<void>;
  openPlainIndex(): PlainIndex;
  /** Takes on what one server does at a time, for all sites; undefined where another one does it. */
  takeOn(work: AloneWork): Promise<Lease | undefined>;
  close(): Promise<void>;
}

/** What would be done twice, or come out differently, where two servers did it side by side. Places are kept: they are locks. */
export const ALONE_WORK = ["vectors", "gaps", "enrichments", "index", "notices"] as const;
export type AloneWork = (typeof ALONE_WORK)[number];

/** What a storage is, for those who look after it. */
export interface StorageDescription {
  /** Its name and version. */
  engine: string;
  /** What measures vectors in it, and why nothing does; undefined where it is not its affair. */
  vectors: VectorMeasure | undefined;
  /** How much it takes, by part: the database, and the log of what it has not taken in yet. */
  bytes: { database: number; log: number };
  /** How many servers work on it; undefined where there can be one alone. */
  servers: number | undefined;
  warnings: StorageWarning[];
}

export type VectorMeasure = { available: true; version: string } | { available: false; reason: string };

/** Something that works, and that its operator should change. */
export interface StorageWarning {
  says: string;
  hint: string;
}

/** Small facts about all that is kept, by name. */
export interface MetaStore {
  /** The value of that name; `make` gives it to the first who asks, and to everyone where it cannot be kept. */
  getOrAdd(name: string, make: () => string): Promise<string>;
}

export interface StorageOptions {
  /** The data directory. */
  directory: string;
  /** `full` waits for the disk at every commit. */
  synchronous: "normal" | "full";
  /** How much of the database is kept in memory, once it was read; little where not given. */
  memoryBytes?: number | undefined;
  /** How many automatic backups are kept. */
  backups: number;
  /** The caller holds the server's lock already. */
  locked: boolean;
  now: number;
  log: Log;
  /** How work waits for a database that is away; undefined where whoever asks is told at once. */
  waiting?: Waiting | undefined;
  /** The PostgreSQL database that servers share; undefined where everything is in the data directory. */
  shared?: SharedDatabase | undefined;
  /** Called while an upgrade indexes the passages of a site: how many are, of how many. */
  onUpgrade?: ((passages: number, all: number) => void) | undefined;
}

/** How long work that can wait does so for a database that is away, and what ends it sooner. */
export interface Waiting {
  secondsMax: number;
  /**
   * Whether it waits for the database while the storage is opened, too: a server started this process, whose database
   * was there a moment ago.
   */
  fromStart: boolean;
  /** Aborted where the process is told to end. */
  stops?: AbortSignal | undefined;
}

/** A database that any number of servers share. */
export interface SharedDatabase {
  url: string;
  /** What the address leaves to it, as PostgreSQL's own programs do. */
  environment: Readonly<Record<string, string | undefined>>;
  /** How many statements of one server run at the same time. */
  connectionsMax: number;
  /** Makes a name that nobody else has. */
  newId(): string;
}

/** A kind of storage: how it is opened, and what is done to a data directory while nothing has it open. */
export interface StorageEngine {
  /** Opens a data directory at the schema of this version; an older one is upgraded, after a backup. */
  open(options: StorageOptions): Promise<Storage>;
  /** Whether anything is kept in a data directory. */
  holdsDatabase(directory: string): boolean;
  /** Undefined where another server holds the lock. */
  lockServer(directory: string): ServerLock | undefined;
  /** The locks of every run of every source, and of every keyword index. Undefined where one of them is held. */
  lockIngests(directory: string): (() => void) | undefined;
  /** Puts a backup in the place of what is there. Returns where that is kept now. */
  restore(directory: string, file: string, at: number, options: RestoreOptions): string | undefined;
  /**
   * Checks that a file is a sound backup that this version can open, and says what is in it. Raises `not_found`,
   * `conflict` for one of a newer version, and `invalid_request` for anything else. Messages call it `name`.
   */
  examineBackup(file: string, name?: string): BackupContents;
  /** Takes a backup's own digest off it, for a copy that is checked by others, piece by piece. */
  removeChecksum(file: string): void;
}

/** What is in a backup. */
export interface BackupContents {
  bytes: number;
  /** Its own digest says that every byte is as it was written. Of an older version, or used since, it has none that counts. */
  hasChecksum: boolean;
  /** The newest migration that it has. */
  schema: string;
  /** Whether the backup is of an older version, and is upgraded where it is opened. */
  isOlder: boolean;
  organizations: number;
  sites: number;
  /** The number of pages that readers find. */
  pages: number;
  conversations: number;
  turns: number;
  /** When the newest of its sites and turns was added, or its schema was changed. */
  newestAt: number;
}

/** The lock that one server at a time holds on a data directory. */
export interface ServerLock {
  /** Gives it back; once more is nothing. */
  release(): void;
  /** Takes the lock's file again where it was deleted. What is wrong with the directory; undefined where nothing is. */
  look(): DirectoryFault | undefined;
}

/** `moved`: the directory is not where it was. `database`: its database is not, or is another. `taken`: another server is in it. */
export type DirectoryFault = "moved" | "database" | "taken";

export interface RestoreOptions {
  /** Raises an error where the server's lock is no longer the one that others find. */
  checkLock?: () => void;
  /** What the backup is called in messages, where its file is one that nobody has seen. */
  name?: string;
}
