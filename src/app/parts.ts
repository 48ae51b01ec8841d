import type { Sources } from "../ingest/ingest.ts";
import type { Ids } from "../lib/ids.ts";
import type { Storage } from "../storage/storage.ts";
import type { Answers } from "./answers.ts";
import type { Content } from "./content.ts";
import type { People } from "./people.ts";
import type { Reports } from "./reports.ts";
import type { Surroundings } from "./surroundings.ts";

/** What every group of parts is opened on. */
export interface Ground extends Surroundings {
  ids: Ids;
  storage: Storage;
}

/** Everything that works on the data directory, in groups. Commands of the CLI use it beside a running server. */
export interface Parts {
  ids: Ids;
  storage: Storage;
  /** Who is there: organizations with their sites, their keys, members and readers. */
  people: People;
  /** What there is to read, and how it is found. */
  content: Content;
  /** What answers questions. */
  answers: Answers;
  /** What is told of questions and readers afterwards. */
  reports: Reports;
  /** What takes docs in. */
  sources: Sources;
  close(): void;
}
