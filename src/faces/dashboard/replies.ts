import type {
  checkShape,
  generationReportShape,
  goldenShape,
  importedShape,
  standingQuestionShape,
} from "@docent/doors/admin/golden/shapes";
import type {
  newNoticeDestinationShape,
  noticeDestinationShape,
  presentNoticesShape,
  triedNoticeShape,
} from "@docent/doors/admin/notices/shapes";
import type {
  answerShape,
  auditEntryShape,
  auditListShape,
  enrichmentShape,
  explanationShape,
  fidelityShape,
  generationShape,
  indexedPageShape,
  jobShape,
  ledgerEntryShape,
  ledgerShape,
  offeredModelsShape,
  pageEntryShape,
  pageListShape,
  rollbackShape,
  runShape,
  siteDefaultsShape,
  sourceRulesShape,
  sourceShape,
  underWayShape,
} from "@docent/doors/admin/shapes";
import type {
  conversationListShape,
  evaluationQuestionShape,
  gapShape,
  gapsShape,
  gapWithQuestionsShape,
  overviewShape,
  turnShape,
} from "@docent/doors/analytics/shapes";
import type { z } from "zod";

// What the server tells of a site's content.

export type Source = z.output<typeof sourceShape>;
export type SourceRules = z.output<typeof sourceRulesShape>;
export type SourceRun = z.output<typeof runShape>;
export type RunJob = z.output<typeof jobShape>;
export type UnderWay = z.output<typeof underWayShape>;
export type Ledger = z.output<typeof ledgerShape>;
export type LedgerEntry = z.output<typeof ledgerEntryShape>;
export type Enrichment = z.output<typeof enrichmentShape>;
export type FidelityReport = z.output<typeof fidelityShape>;
export type Finding = FidelityReport["markup"]["examples"][number];
export type Generation = z.output<typeof generationShape>;
export type GenerationReport = z.output<typeof generationReportShape>;
export type ReadersQuestion = GenerationReport["questions"]["gained"][number];
export type GoldenQuestion = z.output<typeof goldenShape>;
export type AskedGoldenQuestion = z.output<typeof standingQuestionShape>;
export type GoldenImport = z.output<typeof importedShape>;
export type GoldenCheck = z.output<typeof checkShape>;
export type ComparedQuestion = GoldenCheck["worse"][number];
export type GoldenStanding = ComparedQuestion["before"];
export type Rollback = z.output<typeof rollbackShape>;
export type PageEntry = z.output<typeof pageEntryShape>;
export type PageList = z.output<typeof pageListShape>;
export type IndexedPage = z.output<typeof indexedPageShape>;
export type Explanation = z.output<typeof explanationShape>;
export type ExplainedPassage = Explanation["passages"][number];
export type ExplainedPage = NonNullable<Explanation["page"]>["pages"][number];

/** The path of the operations on a site. */
export const siteOperations = (domain: string) => `/v1/admin/sites/${encodeURIComponent(domain)}`;

/** Where it is told what may be named as a source of a site. */
export const sourceRulesPath = (domain: string) =>
  `/v1/admin/source-rules?site=${encodeURIComponent(domain)}`;

// What the server tells of what was done to it.

export type AuditEntry = z.output<typeof auditEntryShape>;
export type AuditList = z.output<typeof auditListShape>;

/** The entries of a part of the audit log. */
export const entriesOf = ({ entries }: AuditList) => entries;

// What the server tells of where notices go.

export type NoticeDestination = z.output<typeof noticeDestinationShape>;
/** One that was just added, with what its webhook is signed with, this once. */
export type NewNoticeDestination = z.output<typeof newNoticeDestinationShape>;
export type TriedNotice = z.output<typeof triedNoticeShape>;
/** What is wrong now. */
export type PresentNotices = z.output<typeof presentNoticesShape>;

/** The path of the operations on them. */
export const NOTICES = "/v1/admin/notices";
export const WRONG_NOW = "/v1/admin/wrong-now";

// What the server tells of what readers asked.

export type Overview = z.output<typeof overviewShape>;
export type OverviewNumbers = Overview["numbers"];
export type ConversationList = z.output<typeof conversationListShape>;
export type ListedTurn = ConversationList["conversations"][number];
export type Turn = z.output<typeof turnShape>;
export type TurnPassage = Turn["passages"][number];
export type EvaluationQuestion = z.output<typeof evaluationQuestionShape>;
export type Gap = z.output<typeof gapShape>;
export type GapList = z.output<typeof gapsShape>;
export type GapWithQuestions = z.output<typeof gapWithQuestionsShape>;

/** The path of what owners read of a site's readers. */
export const siteAnalytics = (domain: string) => `/v1/analytics/${encodeURIComponent(domain)}`;

/** A curated answer, with what should be looked at in it. */
export type Answer = z.output<typeof answerShape>;

/** What holds where a site's settings do not say. */
export type SiteDefaults = z.output<typeof siteDefaultsShape>;

/** The chat models that a site may choose. */
export type OfferedModels = z.output<typeof offeredModelsShape>;
