import { join } from "node:path";
import { createTrialThreads } from "@docent/answering/threads/threads";
import type { AdminOptions } from "@docent/doors/admin/admin";
import type { SessionDoor } from "@docent/doors/session/session";
import { VERSION_NUMBER } from "@docent/kernel/version";
import { isSameModel, type Ollama } from "@docent/models/ollama/ollama";
import { createBackupCopies } from "@docent/storage/backup-download";
import { signInLink } from "../app/addresses.ts";
import { installedHere } from "../app/bundle.ts";
import { openFidelity } from "../app/fidelity.ts";
import { presentNotices } from "../upkeep/present-notices.ts";
import { describeServer } from "./describe-server.ts";
import type { Shared } from "./doors.ts";

/** The deps of the admin API. */
export function openAdmin(shared: Shared, session: SessionDoor): AdminOptions {
  const { config, clock, parts, guard, runJobs, streams, publicUrl } = shared;
  const { people, content, sources, answers, reports, golden } = parts;
  return {
    settings: config,
    door: { guard: guardDeps(shared, session) },
    version: VERSION_NUMBER,
    basePath: shared.basePath,
    sites: people.sites,
    keys: people.keys,
    adminKeys: people.adminKeys,
    members: people.members,
    audit: people.audit,
    siteSecrets: people.siteSecrets,
    readerProviders: shared.readers.vouching,
    pages: content.pages,
    inventory: content.inventory,
    fidelity: openFidelity(parts, shared.askSelf),
    search: content.search,
    enrichment: parts.enrichments,
    requestedSources: sources.requested,
    siteSources: sources.ofSites,
    ledger: sources.ledger,
    generations: sources.generations,
    uploads: sources.uploads,
    uploadedSources: sources.uploadedSources,
    foldersOf: async (organizationId) => (await sources.permissions.of(organizationId)).folders,
    golden,
    curated: answers.curated,
    notices: parts.notices,
    presentNotices: presenter(shared),
    retention: reports.retention,
    linkTo: (text) => signInLink(publicUrl(), text),
    runJobs,
    openBackup: openBackups(shared),
    streams,
    clock,
    models: siteModels(answers.ollama),
    trial: {
      guard,
      settings: config,
      answer: answers.open(publicUrl(), { threads: createTrialThreads(parts.ids) }),
    },
    describeServer: describer(shared),
    describeModels: (signal) => answers.ollama.describe(signal),
  };
}

const guardDeps = ({ parts: { people }, guard: { directory } }: Shared, session: SessionDoor) => ({
  ...session,
  adminKeys: people.adminKeys,
  audit: people.audit,
  directory,
});

function openBackups({ config, runSelf, parts }: Shared): AdminOptions["openBackup"] {
  return createBackupCopies({
    folder: join(config.data, "backups"),
    // A large copy takes a while, so that a process of its own makes it where possible: here nobody else
    // would be answered.
    write: async (file, signal) => (runSelf ? runSelf(["backup", file], signal) : parts.storage.backUp(file)),
  });
}

function describer(shared: Shared): AdminOptions["describeServer"] {
  const { config, parts, startedAt, publicUrl, metricsUrl, kernelSeal } = shared;
  const unasked = { isHeld: false, says: "the kernel was not asked to hold connections back" };
  return () =>
    describeServer({
      directory: config.data,
      storage: parts.storage,
      backups: parts.backups,
      seal: config.sealed === "on" ? (kernelSeal ?? unasked) : undefined,
      bundle: () => installedHere(shared),
      startedAt,
      publicUrl: publicUrl(),
      metricsUrl: metricsUrl() ?? (config.metrics === "on" ? `${publicUrl()}/metrics` : null),
      load: parts.answers.ollama.load(),
    });
}

function presenter({ config, clock, log, parts, publicUrl }: Shared): AdminOptions["presentNotices"] {
  const isSealed = config.sealed === "on";
  return ({ isServer, sees }, signal) =>
    presentNotices(
      { parts, directory: config.data, publicUrl: publicUrl(), clock, log },
      { isServer, sees, isSealed },
      signal,
    );
}

function siteModels(ollama: Pick<Ollama, "listModels">): AdminOptions["models"] {
  return {
    list: (signal) => ollama.listModels(signal),
    async mayChoose(name, signal) {
      const { own = "", models, isWhole } = await ollama.listModels(signal);
      // A server that is away may be the one with this model: until it is back, the server's own model
      // answers.
      return !isWhole || [own, ...models.map((model) => model.name)].some((each) => isSameModel(each, name));
    },
  };
}
