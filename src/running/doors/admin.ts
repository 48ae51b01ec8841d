import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { createTrialThreads } from "@docent/answering/threads/threads";
import type { AdminOptions, ServerState } from "@docent/doors/admin/admin";
import type { SessionDoor } from "@docent/doors/session/session";
import type { KernelSeal } from "@docent/kernel/lib/seal/landlock";
import { VERSION_NUMBER } from "@docent/kernel/version";
import { isSameModel, type Ollama } from "@docent/models/ollama/ollama";
import { createBackupCopies } from "@docent/storage/backup-download";
import type { Storage } from "@docent/storage/storage";
import { signInLink } from "../app/addresses.ts";
import { installedHere } from "../app/bundle.ts";
import { openFidelity } from "../app/fidelity.ts";
import type { BackupsOverview, ScheduledBackups } from "../backups/backups.ts";
import type { Earlier } from "../bundle/bundle.ts";
import { presentNotices } from "../upkeep/present-notices.ts";
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

interface Described {
  directory: string;
  storage: Pick<Storage, "describe">;
  backups: ScheduledBackups;
  /** What the kernel does besides; undefined where the process is not sealed. */
  seal: KernelSeal | undefined;
  bundle(): Promise<Earlier | undefined>;
  startedAt: number;
  publicUrl: string;
  metricsUrl: string | null;
  load: ServerState["load"];
}

/** Stops counting at this many files: repositories and uploads may have very many. */
const FILES_MAX = 20_000;

/** Describes a running server and what it stores. */
async function describeServer({
  directory,
  storage,
  backups,
  seal,
  bundle,
  startedAt,
  ...rest
}: Described): Promise<ServerState> {
  const { engine, servers = null, bytes: stored } = await storage.describe();
  const bytes = await bytesByFolder(directory);
  const databaseBytes = stored.database + stored.log;
  const backupsBytes = bytes.get("backups") ?? 0;
  const all = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  // One that servers share lies elsewhere.
  const ownBytes = servers === null ? databaseBytes : 0;
  return {
    version: VERSION_NUMBER,
    startedAt: new Date(startedAt).toISOString(),
    data: {
      directory,
      engine,
      servers,
      databaseBytes,
      backupsBytes,
      otherBytes: Math.max(0, all - ownBytes - backupsBytes),
      freeBytes: await freeBytesAt(directory),
    },
    backups: backupsJson(backups.overview()),
    sealed: seal === undefined ? null : { byKernel: seal.isHeld, says: seal.says },
    // Doctor says what is wrong with one that cannot be read.
    bundle: bundleJson(await bundle().catch(() => undefined)),
    ...rest,
  };
}

function backupsJson(overview: BackupsOverview | undefined): ServerState["backups"] {
  if (overview === undefined) return null;
  const { everyHours, folder, nextAt, isOverdue, good, failure } = overview;
  const moment = (at: number) => new Date(at).toISOString();
  return {
    everyHours,
    folder,
    nextAt: moment(nextAt),
    isOverdue,
    newest: good === undefined ? null : { file: good.file, bytes: good.bytes, at: moment(good.at) },
    failure:
      failure === undefined
        ? null
        : { at: moment(failure.at), says: failure.says, hint: failure.hint ?? null },
  };
}

function bundleJson(installed: Earlier | undefined): ServerState["bundle"] {
  if (installed === undefined) return null;
  const { id, manifest, installedAt, signedBy = null } = installed;
  const { madeAt, docent } = manifest;
  return { id, madeAt, docent, installedAt: new Date(installedAt).toISOString(), signedBy };
}

/** Sums file sizes by top folder; files in none are under the empty name. */
async function bytesByFolder(directory: string): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names.slice(0, FILES_MAX)) {
    const [folder = "", ...below] = name.split(/[/\\]/);
    // A file that has gone meanwhile takes no room.
    const file = await stat(join(directory, name)).catch(() => undefined);
    const key = below.length > 0 ? folder : "";
    if (file?.isFile()) bytes.set(key, (bytes.get(key) ?? 0) + file.size);
  }
  return bytes;
}

async function freeBytesAt(directory: string): Promise<number | null> {
  const disk = await statfs(directory).catch(() => undefined);
  return disk === undefined ? null : disk.bavail * disk.bsize;
}
