import type { Curated } from "@docent/answering/curated/curated";
import type { Retention } from "@docent/answering/threads/retention";
import type { RelevanceSettings, SearchExplainer } from "@docent/finding/search/search";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Golden } from "@docent/measuring/golden/golden";
import type { Audit } from "@docent/people/audit/audit";
import type { Admin, AdminKeys } from "@docent/people/keys/admin-keys";
import type { Keys } from "@docent/people/keys/keys";
import type { Members } from "@docent/people/members/members";
import type {
  Fidelity,
  Generations,
  RequestedSources,
  RunJobs,
  SiteSources,
  UploadedSources,
  UploadFiles,
} from "@docent/sites/ingest/ingest";
import type { LedgerStore } from "@docent/sites/ingest/stores";
import type { Notices } from "@docent/sites/notices/notices";
import type { PageInventory } from "@docent/sites/pages/inventory";
import type { PageStore } from "@docent/sites/pages/pages";
import type { Sites } from "@docent/sites/site/sites";
import type { Operation } from "../operation.ts";
import type { Streams } from "../streaming/answering.ts";
import { answerOperations } from "./answers.ts";
import { auditOperations } from "./audit.ts";
import { backupOperations } from "./backup.ts";
import { enrichmentOperations, type SiteEnrichment } from "./enrichment.ts";
import { explainOperations } from "./explain.ts";
import { fidelityOperations } from "./fidelity.ts";
import { generationOperations } from "./generations.ts";
import { goldenOperations } from "./golden/golden.ts";
import type { AdminGuardDeps, AdminGuards } from "./guard.ts";
import { adminKeyOperations, assistantKeyOperations } from "./keys.ts";
import { memberOperations } from "./members.ts";
import { type SiteModelChoice, siteModelOperations } from "./models.ts";
import { noticeOperations, type PresentNotices } from "./notices/notices.ts";
import { organizationOperations } from "./organizations.ts";
import { pageOperations } from "./pages.ts";
import { privacyOperations } from "./privacy.ts";
import { type ReadersOptions, readersOperations } from "./readers/readers.ts";
import { type ServerState, serverOperations, statusOperations } from "./server.ts";
import { siteOperations } from "./sites.ts";
import { runOperations, sourceOperations, underWayOperations, uploadOperations } from "./sources/sources.ts";
import { type Trial, tryOperations } from "./try-site.ts";

/** Every operation of the admin API: what the commands of the CLI do, for admin keys and signed-in members. */
export function adminOperations(options: AdminOptions, guards: AdminGuards): Operation[] {
  return [
    ...statusOperations(options, guards),
    ...organizationOperations(options, guards),
    ...siteOperations(options, guards),
    ...readersOperations(options, guards),
    ...siteModelOperations(options, guards),
    ...tryOperations(options, guards),
    ...assistantKeyOperations(options, guards),
    ...adminKeyOperations(options, guards),
    ...memberOperations(options, guards),
    ...sourceOperations(options, guards),
    ...uploadOperations(options, guards),
    ...runOperations(options, guards),
    ...underWayOperations(options, guards),
    ...pageOperations(options, guards),
    ...fidelityOperations(options, guards),
    ...explainOperations(options, guards),
    ...enrichmentOperations(options, guards),
    ...generationOperations(options, guards),
    ...goldenOperations(options, guards),
    ...answerOperations(options, guards),
    ...noticeOperations(options, guards),
    ...privacyOperations(options, guards),
    ...backupOperations(options, guards),
    ...auditOperations(options, guards),
    ...serverOperations(options, guards),
  ];
}

export type { PresentNotices } from "./notices/notices.ts";
export type { ServerState } from "./server.ts";

/** A consistent copy of the whole database, as it is sent. */
interface BackupCopy {
  content: ReadableStream<Uint8Array>;
  /** Resolves when the copy was sent, or its receiver has left. */
  ended: Promise<void>;
}

/** A model server and its state. */
export interface ModelServerState {
  url: string;
  model: string | undefined;
  says?: string;
  reason?: string;
  hint?: string;
}

/** What every operation of the admin API needs. */
interface AdminDoor {
  guard: AdminGuardDeps;
}

/** The settings that the operations read, under their own names. */
export interface AdminSettings extends RelevanceSettings {
  /** What holds where a site does not say. */
  curated_min: number;
  organization_messages_per_hour: number;
  /** How long an upload may take to arrive. */
  upload_seconds: number;
  upload_bytes: number;
  /** `VARIABLE@host`: what a source that is named here may send where. */
  source_variables: readonly string[];
}

/** The parts of Docent that the operations of the admin API use. */
export interface AdminOptions extends ReadersOptions {
  settings: AdminSettings;
  door: AdminDoor;
  version: string;
  basePath: string;
  sites: Sites;
  keys: Keys;
  adminKeys: AdminKeys;
  members: Members;
  audit: Pick<Audit, "list">;
  /** The address of a one-time link. */
  linkTo(text: string): string;
  pages: Pick<PageStore, "countPages">;
  requestedSources: RequestedSources;
  siteSources: SiteSources;
  runJobs: RunJobs;
  ledger: Pick<LedgerStore, "part" | "runs" | "about">;
  uploadedSources: UploadedSources;
  uploads: Pick<UploadFiles, "removeSite">;
  /** Folders of this machine that may be named as sources, each organization's own. */
  foldersOf(organizationId: string): Promise<readonly string[]>;
  inventory: PageInventory;
  fidelity: Fidelity;
  search: SearchExplainer;
  enrichment: SiteEnrichment;
  generations: Generations;
  golden: Golden;
  curated: Curated;
  notices: Notices;
  /** What destinations would be told of now, of what somebody sees. */
  presentNotices(admin: Pick<Admin, "isServer" | "sees">, signal: AbortSignal): Promise<PresentNotices>;
  retention: Pick<Retention, "removeThread" | "removeReader">;
  /** Writes a copy and opens it; `conflict` while another one is sent. */
  openBackup(signal: AbortSignal): Promise<BackupCopy>;
  streams: Streams;
  /** What sites may choose, and what holds where they choose nothing. */
  models: SiteModelChoice;
  trial: Trial;
  describeServer(): Promise<ServerState>;
  describeModels(signal: AbortSignal): Promise<ModelServerState & { servers: ModelServerState[] }>;
  clock: Clock;
}
