import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { type Disk, makeFolder, systemDisk } from "@docent/kernel/lib/durable-files";
import type { BackupContents } from "../../storage.ts";
import { addChecksum, checksumOf } from "./checksum.ts";
import { appliedMigrations, pendingMigrations } from "./migrate.ts";
import { reasonOf } from "./open.ts";
import { schemaFault } from "./schema-check.ts";

/** What SQLite keeps beside a database: its write-ahead log, the index of that, and what undoes a broken write. */
export const LOG_SUFFIXES = ["-wal", "-shm", "-journal"];
const AUTOMATIC = /^before-upgrade-.*\.db$/;

/** Writes a copy of the whole database, as of one moment, while it stays in use. */
export function backUp(database: Database, file: string, disk: Disk = systemDisk): void {
  if (existsSync(file)) {
    throw new AppError("conflict", `${file} exists already.`, {
      hint: "Name another file, or move that one away.",
    });
  }
  try {
    makeFolder(dirname(file), disk);
    writeCopy(database, file, disk);
  } catch (cause) {
    throw new AppError("unavailable", `The backup ${file} could not be written: ${reasonOf(cause)}`, {
      hint: "Check that the folder can be written and that the disk has room.",
      cause,
    });
  }
}

/** The same, and checks what was written: of a damaged database, SQLite makes a copy that cannot be restored, and says nothing. */
export function backUpSoundly(database: Database, file: string): void {
  backUp(database, file);
  try {
    checkBackup(file);
  } catch (cause) {
    removeDatabase(file, systemDisk);
    throw new AppError(
      "unavailable",
      `The backup ${file} could not be restored, and was removed: the database itself is damaged (${reasonOf(cause)})`,
      {
        hint: "docent doctor says more. Restore the newest sound backup: docent backup verify says which are.",
        cause,
      },
    );
  }
}

/** A copy that has its name only when it is whole, and on the disk. Nothing stays of one that could not be written. */
export function writeCopy(database: Database, file: string, disk: Disk): void {
  const unfinished = `${file}.partial`;
  try {
    removeDatabase(unfinished, disk);
    database.query("VACUUM INTO ?").run(unfinished);
    addChecksum(unfinished);
    disk.syncFile(unfinished);
    disk.rename(unfinished, file);
    disk.syncFolder(dirname(file));
  } catch (error) {
    // Asked first: where a part of the way is a file, removing throws even when forced.
    if (existsSync(unfinished)) removeDatabase(unfinished, disk);
    throw error;
  }
}

/** Removes a database with what SQLite keeps beside it. That goes first: alone, it would be taken for the next one's. */
export function removeDatabase(file: string, disk: Disk): void {
  for (const suffix of [...LOG_SUFFIXES, ""]) if (existsSync(file + suffix)) disk.remove(file + suffix);
}

/** The backup that is made before a migration. Only it and the newest of the others stay, `keep` in all. */
export function backUpBeforeUpgrade(
  database: Database,
  directory: string,
  at: number,
  keep: number,
  disk: Disk = systemDisk,
): string {
  const folder = join(directory, "backups");
  const stamp = new Date(at).toISOString().replaceAll(":", "-");
  const file = join(folder, `before-upgrade-${stamp}.db`);
  backUp(database, file, disk);
  // A clock that was set back would make the one that counts the oldest.
  const others = readdirSync(folder)
    .filter((name) => AUTOMATIC.test(name) && name !== basename(file))
    .sort();
  for (const name of others.slice(0, Math.max(0, others.length - (keep - 1))))
    disk.remove(join(folder, name));
  return file;
}

/**
 * Checks that a file is a sound database that this version of Docent, or an older one, has made. Raises `conflict` for
 * one of a newer version, and `invalid_request` for anything else. Errors say `name`, by which whoever gave the file
 * knows it: of a copy, the file that it was made of.
 */
export function checkBackup(file: string, name = file): void {
  readChecked(file, name, () => {});
}

/** The same, and says what is in it. */
export const examineBackup = (file: string, name = file): BackupContents =>
  readChecked(file, name, (database) => ({
    bytes: statSync(file).size,
    hasChecksum: checksumOf(file) === "matches",
    ...contentsOf(database),
  }));

function readChecked<T>(file: string, name: string, read: (database: Database) => T): T {
  if (!existsSync(file)) throw new AppError("not_found", `There is no file ${name}.`);
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true });
    const fault = faultOf(database) ?? changeIn(file);
    if (fault !== undefined) throw new Error(fault);
    return read(database);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const isUnreadable = /unable to open|readonly/i.test(reasonOf(cause));
    throw new AppError("invalid_request", `${name} is not a sound Docent backup: ${reasonOf(cause)}`, {
      hint: isUnreadable
        ? "Copy it to a folder that can be written, and use it from there."
        : "Copy it again from where it was made, or take another: docent backup verify says which are sound.",
      cause,
    });
  } finally {
    database?.close();
  }
}

/** What SQLite does not see: bytes of a text that are others, as on a disk that fails. */
const changeIn = (file: string): string | undefined =>
  checksumOf(file) === "differs" ? "its bytes are not those that were written (checksum)" : undefined;

/** The schema comes first: nothing that a stranger's may hold is run before it is known to be Docent's own. */
function faultOf(database: Database): string | undefined {
  database.run("PRAGMA trusted_schema = OFF");
  if (appliedMigrations(database).length === 0) return "it has no record of Docent's migrations";
  pendingMigrations(database);
  const fault = schemaFault(database);
  if (fault !== undefined) return fault;
  const verdict = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  if (verdict?.integrity_check !== "ok") return verdict?.integrity_check ?? "no answer";
  const dangling = database.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").get();
  return dangling === null
    ? undefined
    : `rows of ${dangling.table} refer to rows of ${dangling.parent} that are not there`;
}

/** Tables that older versions have as well, but for the last. What is in a newer one is no sound backup. */
const COUNTS = `
  SELECT
    (SELECT count(*) FROM organizations) AS organizations,
    (SELECT count(*) FROM sites) AS sites,
    (SELECT count(*) FROM pages JOIN sites ON sites.id = pages.site_id
      WHERE born <= generation AND (died IS NULL OR died > generation)) AS pages,
    (SELECT count(*) FROM threads) AS conversations,
    (SELECT count(*) FROM turns) AS turns,
    max(
      (SELECT coalesce(max(applied_at), 0) FROM migrations),
      (SELECT coalesce(max(created_at), 0) FROM sites),
      (SELECT coalesce(max(created_at), 0) FROM turns)) AS newestAt`;

function contentsOf(database: Database): Omit<BackupContents, "bytes" | "hasChecksum"> {
  const counts = database
    .query<Omit<BackupContents, "bytes" | "hasChecksum" | "schema" | "isOlder">, []>(COUNTS)
    .get();
  if (counts === null) throw new Error("it could not be counted");
  const applied = appliedMigrations(database);
  return { schema: applied.at(-1) ?? "", isOlder: pendingMigrations(database).length > 0, ...counts };
}
