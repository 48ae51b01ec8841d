import type { AnswerCacheStore } from "../../src/answering/answer/cache/cache.ts";
import type { CuratedStore } from "../../src/answering/curated/curated-store.ts";
import type { RetentionStore } from "../../src/answering/threads/retention.ts";
import type { ThreadStore } from "../../src/answering/threads/threads.ts";
import type { EnrichmentStore } from "../../src/finding/enrich/stores.ts";
import type { SegmentStore } from "../../src/finding/search/keyword-index/segment-store.ts";
import type { CalibrationStore } from "../../src/finding/search/relevance/relevance.ts";
import type { SearchStore } from "../../src/finding/search/search-store.ts";
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
} from "../../src/measuring/analytics/stores.ts";
import type { GapStore } from "../../src/measuring/gaps/stores.ts";
import type { GenerationReportStore, GoldenStore } from "../../src/measuring/golden/stores.ts";
import type { AuditStore } from "../../src/people/audit/stores.ts";
import type { OnceStore } from "../../src/people/identity/stores.ts";
import type { AdminKeyStore } from "../../src/people/keys/admin-keys.ts";
import type { KeyStore } from "../../src/people/keys/keys.ts";
import type { LimitStore } from "../../src/people/limits/limits.ts";
import type { MemberStore, SessionStore } from "../../src/people/members/stores.ts";
import type { ReaderSessionStore, SiteSecretStore } from "../../src/people/readers/stores.ts";
import type {
  GenerationStore,
  IngestStore,
  LedgerStore,
  PublishedStore,
  SourceStore,
  UploadStore,
  VectorStore,
} from "../../src/sites/ingest/stores.ts";
import type { NoticeStore } from "../../src/sites/notices/stores.ts";
import type { ImageStore } from "../../src/sites/pages/images.ts";
import type { PageInventory } from "../../src/sites/pages/inventory.ts";
import type { PageStore } from "../../src/sites/pages/pages.ts";
import type { SiteStore } from "../../src/sites/site/sites.ts";
import type { MetaStore } from "../../src/storage/storage.ts";

interface Stores {
  sites: SiteStore;
  keys: KeyStore;
  adminKeys: AdminKeyStore;
  limits: LimitStore;
  once: OnceStore;
  audit: AuditStore;
  members: MemberStore;
  sessions: SessionStore;
  notices: NoticeStore;
  siteSecrets: SiteSecretStore;
  readerSessions: ReaderSessionStore;
  threads: ThreadStore;
  pages: PageStore;
  images: ImageStore;
  inventory: PageInventory;
  sources: SourceStore;
  uploads: UploadStore;
  ingest: IngestStore;
  ledger: LedgerStore;
  published: PublishedStore;
  generations: GenerationStore;
  passageVectors: VectorStore;
  search: SearchStore;
  segments: SegmentStore;
  enrichmentSegments: SegmentStore;
  enrichments: EnrichmentStore;
  calibrations: CalibrationStore;
  curated: CuratedStore;
  answerCache: AnswerCacheStore;
  conversations: ConversationStore;
  feedback: FeedbackStore;
  events: EventStore;
  searchLog: SearchLogStore & SearchReportStore;
  gaps: GapStore;
  overview: OverviewStore;
  conversationList: ConversationListStore;
  turns: TurnStore;
  evaluation: EvaluationStore;
  golden: GoldenStore;
  generationReports: GenerationReportStore;
  retention: RetentionStore;
  meta: MetaStore;
}

/** Opens empty stores of one implementation: the one that a suite is about, and those that fill it. */
export type OpenStores<Names extends keyof Stores> = () => Promise<Pick<Stores, Names> & Disposable>;
