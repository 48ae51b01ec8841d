import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { Parts, Surroundings } from "../app.ts";
import type { AdminGuardDeps } from "../http/admin-guard.ts";
import type { AdminOptions } from "../http/admin-options.ts";
import type { Streams } from "../http/answering.ts";
import { createRunJobs } from "../ingest/run-jobs.ts";
import { createBackupCopies } from "../storage/backup-copy.ts";
import { normalizeBasePath } from "./addresses.ts";
import { runWork } from "./run-work.ts";

const SECOND_MS = 1000;

/** What the admin API works with, beside a server's other doors. `close` ends the runs that it began. */
export function openAdmin(
  surroundings: Surroundings,
  parts: Parts,
  { guard, streams }: { guard: AdminGuardDeps; streams: Streams },
): { options: AdminOptions; close(): Promise<void> } {
  const { config, clock, runSelf } = surroundings;
  const { sites, keys, adminKeys, pages, admission, sourceRuns, ledger, generations, curated, ids } = parts;
  const { retention } = parts;
  const work = runWork({ ...surroundings, runMs: config.run_seconds * SECOND_MS }, parts);
  const runJobs = createRunJobs({ work, clock, ids });
  const openBackup = createBackupCopies({
    folder: join(config.data, "backups"),
    // A copy of a large database takes a while, in which nobody else would be answered.
    write: async (file, signal) => (runSelf ? runSelf(["backup", file], signal) : parts.backUp(file)),
  });
  return {
    options: {
      door: {
        guard,
        bodyBytesMax: config.body_bytes,
        bodyMs: config.body_seconds * SECOND_MS,
      },
      version: manifest.version,
      basePath: normalizeBasePath(config.base_path),
      ...{ sites, keys, adminKeys, pages, admission, sourceRuns, ledger, generations, curated },
      ...{ retention, runJobs, openBackup, streams, clock },
      describeModels: (signal) => parts.ollama.describe(signal),
    },
    close: () => runJobs.close(),
  };
}
