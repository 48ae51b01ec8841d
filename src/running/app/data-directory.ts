import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { examineBackup, holdsDatabase, lockIngests, lockServer, restore } from "@docent/storage/open-storage";
import type { BackupContents, DirectoryFault, ServerLock } from "@docent/storage/storage";
import type { Surroundings } from "./surroundings.ts";

export type { BackupContents } from "@docent/storage/storage";

const LOOK_MS = 1000;

/** Raises `not_found` where nothing is kept yet: a command for what is there would make an empty place of a mistyped name. */
export function requireData({ data, database_url }: Pick<Config, "data" | "database_url">): void {
  if (database_url !== "" || holdsDatabase(data)) return;
  throw new AppError("not_found", `There is no Docent data in ${resolve(data)}.`, {
    hint: "docent sites add <domain> makes it, with a first site. --data names another directory.",
  });
}

/** Where everything is in a database that servers share, none of them has the directory for itself. */
const SHARED: ServerLock = { release() {}, look: () => undefined };

/** Takes the lock that only one server holds at a time. Raises `conflict` when another one has it. */
export function takeServerLock({
  data: directory,
  database_url,
}: Pick<Config, "data" | "database_url">): ServerLock {
  if (database_url !== "") return SHARED;
  const lock = lockServer(directory);
  if (lock) return lock;
  throw new AppError("conflict", `A server is using the data directory ${directory}.`, {
    hint: "Stop it first, or name another directory with --data.",
  });
}

/**
 * Keeps runs out: one that went on would write to the database that is being replaced, and report success.
 */
export function lockRuns(directory: string): () => void {
  const release = lockIngests(directory);
  if (release) return release;
  throw new AppError("conflict", `Docs are being read into the data directory ${directory}.`, {
    hint: "Wait until docent ingest has ended, then run this again.",
  });
}

/**
 * Checks every second that the directory is still the one that the server locked, with the database it
 * opened; otherwise it would acknowledge writes that nobody finds. `lost` resolves with the reason when it is
 * not.
 */
export function watchDirectory(lock: ServerLock, directory: string, { everyMs = LOOK_MS } = {}) {
  const { promise: lost, resolve } = Promise.withResolvers<AppError>();
  const look = () => {
    const fault = faultOf(lock);
    if (fault === undefined) return;
    clearInterval(timer);
    resolve(directoryLost(directory, fault));
  };
  const timer = setInterval(look, everyMs);
  // The first check notes which database it is.
  look();
  return { lost, close: () => clearInterval(timer) };
}

/** A check that fails for another reason may succeed the next time. */
function faultOf(lock: ServerLock): DirectoryFault | undefined {
  try {
    return lock.look();
  } catch {
    return undefined;
  }
}

/** Raises an error where the directory is no longer the one that was locked. */
export function checkDirectory(lock: ServerLock, directory: string): void {
  const fault = lock.look();
  if (fault !== undefined) throw directoryLost(directory, fault);
}

const LOST: Record<DirectoryFault, string> = {
  moved: "was moved or removed",
  database: "has lost its database, or was given another one,",
  taken: "was taken by another server",
};

function directoryLost(directory: string, fault: DirectoryFault): AppError {
  return new AppError("conflict", `The data directory ${directory} ${LOST[fault]} while it was in use.`, {
    hint: "Stop every server on it, put back what belongs there, and start one. To put another database in place, use docent restore.",
  });
}

/** In the data directory: which bundle was installed last, and what of one is under way. */
export const bundleFolder = ({ data }: Pick<Config, "data">): string => join(data, "bundle");

/** Raises `conflict` where the installation of a bundle was broken off: what is there may be of two versions. */
export function checkInstalled(config: Pick<Config, "data">): void {
  if (!existsSync(join(bundleFolder(config), "journal.json"))) return;
  throw new AppError("conflict", "The installation of a bundle was broken off.", {
    hint: "docent bundle recover puts everything back as it was; docent bundle install does so too, and installs again.",
  });
}

/** Puts a backup in the place of the data directory's database. Returns where the replaced one was kept. */
export function restoreBackup(
  { config, clock }: Surroundings,
  file: string,
  name = file,
): string | undefined {
  if (config.database_url !== "") {
    throw new AppError("invalid_request", "Docent restores no PostgreSQL database.", {
      hint: "Use pg_restore, or what your PostgreSQL is backed up with.",
    });
  }
  const lock = takeServerLock(config);
  try {
    checkInstalled(config);
    const endRuns = lockRuns(config.data);
    try {
      return restore(config.data, file, clock(), {
        name,
        checkLock: () => checkDirectory(lock, config.data),
      });
    } finally {
      endRuns();
    }
  } finally {
    lock.release();
  }
}

/** Checks that a file is a sound backup that this version can open, and says what is in it. Nothing else is opened. */
export const verifyBackup = (file: string, name = file): BackupContents => examineBackup(file, name);
