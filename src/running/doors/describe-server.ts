import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { ServerState } from "@docent/doors/admin/admin";
import type { KernelSeal } from "@docent/kernel/lib/seal/landlock";
import { VERSION_NUMBER } from "@docent/kernel/version";
import type { Storage } from "@docent/storage/storage";
import type { BackupsOverview, ScheduledBackups } from "../backups/backups.ts";
import type { Earlier } from "../bundle/bundle.ts";

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
export async function describeServer({
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
