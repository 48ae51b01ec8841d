import type { Ids } from "@docent/kernel/lib/ids";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { Golden } from "@docent/measuring/golden/golden";
import type { Sources } from "@docent/sites/ingest/ingest";
import type { Notices } from "@docent/sites/notices/notices";
import type { Storage } from "@docent/storage/storage";
import type { ScheduledBackups } from "../backups/backups.ts";
import type { Answers } from "./answers/answers.ts";
import type { Content } from "./content.ts";
import type { Enrichments } from "./enrichments/enrichments.ts";
import type { People } from "./people.ts";
import type { Reports } from "./reports.ts";
import type { Surroundings } from "./surroundings.ts";

/** What every group of parts is opened on. */
export interface Ground extends Surroundings {
  /** Where this process may connect to. */
  seal: Seal;
  ids: Ids;
  storage: Storage;
}

/** Everything that works on the data directory, in groups. CLI commands use it beside a running server. */
export interface Parts {
  ids: Ids;
  storage: Storage;
  /** Organizations with their sites, keys, members and readers. */
  people: People;
  /** The pages and the search over them. */
  content: Content;
  answers: Answers;
  /** What is reported about questions and readers afterwards. */
  reports: Reports;
  /** Questions that owners keep, asked of what runs publish; and what generations are to readers. */
  golden: Golden;
  /** What models write for passages. */
  enrichments: Enrichments;
  /** Reads docs in. */
  sources: Sources;
  /** The copies of all of it that the server makes by itself. */
  backups: ScheduledBackups;
  /** What people are told of, and where. */
  notices: Notices;
  close(): Promise<void>;
}
