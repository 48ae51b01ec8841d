import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import type { Answer } from "../../answer/answer.ts";
import type { Parts, Surroundings } from "../../app.ts";
import type { AdminGuardDeps } from "../../http/admin/guard.ts";
import type { AdminOptions } from "../../http/admin/options.ts";
import type { Trial } from "../../http/admin/try-site.ts";
import type { Streams } from "../../http/stream/answering.ts";
import { createFairOrder } from "../../ingest/fair-order.ts";
import { createRunJobs } from "../../ingest/run-jobs.ts";
import { createBackupCopies } from "../../storage/backup-download.ts";
import { createPassingThreads } from "../../threads/threads.ts";
import { normalizeBasePath, signInLink } from "../addresses.ts";
import { siteDefaults, siteModels } from "../site-choices.ts";
import { runWork } from "../upkeep/run-work.ts";
import { describeServer } from "./describe-server.ts";

const SECOND_MS = 1000;

/** What the admin API shares with a server's other doors. */
interface AdminDoors {
  guard: AdminGuardDeps;
  streams: Streams;
  trial: Omit<Trial, "answer" | "messageCharactersMax">;
  /** Where the metrics are read, once the server listens. */
  metricsUrl: () => string | null;
}

/** What the admin API works with, beside a server's other doors. `close` ends the runs that it began. */
export function openAdmin(
  surroundings: Surroundings,
  parts: Parts,
  { guard, streams, trial, metricsUrl }: AdminDoors,
): { options: AdminOptions; close(): Promise<void> } {
  const { config, clock, runSelf } = surroundings;
  const { sites, keys, adminKeys, pages, requestedSources, sourceRuns, ledger, generations, curated, ids } =
    parts;
  const { retention } = parts;
  const startedAt = clock();
  let answer: Answer | undefined;
  const work = runWork({ ...surroundings, runMs: config.run_seconds * SECOND_MS }, parts);
  const runJobs = createRunJobs({ work, clock, ids, order: createFairOrder(config.organizations_at_once) });
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
      sites,
      keys,
      adminKeys,
      pages,
      requestedSources,
      sourceRuns,
      ledger,
      generations,
      curated,
      members: parts.members,
      linkTo: (text) => signInLink(guard.publicUrl(), text),
      uploads: parts.uploads,
      uploadedSources: parts.uploadedSources,
      uploadMs: config.upload_seconds * SECOND_MS,
      sourceRules: {
        uploadBytesMax: config.upload_bytes,
        foldersOf: async (organizationId) => (await parts.sourcePermissions.of(organizationId)).folders,
        variables: config.source_variables,
      },
      inventory: parts.inventory,
      search: parts.search,
      relevanceMin: config.relevance_min,
      retention,
      runJobs,
      openBackup,
      streams,
      clock,
      models: siteModels(parts.ollama),
      siteDefaults: siteDefaults(config),
      trial: {
        ...trial,
        messageCharactersMax: config.message_characters,
        answer: (request, signal) => {
          // Links need the port, which is known once the server listens.
          answer ??= parts.openAnswer(guard.publicUrl(), { threads: createPassingThreads(ids) });
          return answer(request, signal);
        },
      },
      describeServer: () =>
        describeServer({
          directory: config.data,
          databaseSize: parts.storage.size,
          startedAt,
          publicUrl: guard.publicUrl(),
          metricsUrl: metricsUrl(),
          load: parts.ollama.load(),
        }),
      describeModels: (signal) => parts.ollama.describe(signal),
    },
    close: () => runJobs.close(),
  };
}
