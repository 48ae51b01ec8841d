import type { GapStore } from "../../src/analytics/gaps/stores.ts";
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
} from "../../src/analytics/stores.ts";
import type { AnswerCacheStore } from "../../src/answer/cache/cache.ts";
import type { AuditStore } from "../../src/audit/stores.ts";
import type { CuratedStore } from "../../src/curated/curated-store.ts";
import type { EnrichmentStore } from "../../src/enrich/stores.ts";
import type { GenerationReportStore, GoldenStore } from "../../src/golden/stores.ts";
import type { OnceStore } from "../../src/identity/stores.ts";
import type {
  GenerationStore,
  IngestStore,
  LedgerStore,
  SourceStore,
  UploadStore,
  VectorStore,
} from "../../src/ingest/stores.ts";
import type { AdminKeyStore } from "../../src/keys/admin-keys.ts";
import type { KeyStore } from "../../src/keys/keys.ts";
import type { LimitStore } from "../../src/limits/limits.ts";
import type { MemberStore, SessionStore } from "../../src/members/stores.ts";
import type { NoticeStore } from "../../src/notices/stores.ts";
import type { ImageStore } from "../../src/pages/images.ts";
import type { PageInventory } from "../../src/pages/inventory.ts";
import type { PageStore } from "../../src/pages/pages.ts";
import type { ReaderSessionStore, SiteSecretStore } from "../../src/readers/stores.ts";
import type { SegmentStore } from "../../src/search/keyword-index/segment-store.ts";
import type { CalibrationStore } from "../../src/search/relevance/relevance.ts";
import type { SearchStore } from "../../src/search/search-store.ts";
import type { SiteStore } from "../../src/sites/sites.ts";
import type { MetaStore } from "../../src/storage/storage.ts";
import type { RetentionStore } from "../../src/threads/retention.ts";
import type { ThreadStore } from "../../src/threads/threads.ts";

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
