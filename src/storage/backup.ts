import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../errors.ts";
import { appliedMigrations, pendingMigrations } from "./migrate.ts";
import { DATABASE_FILE, reasonOf } from "./open.ts";

/** A database's write-ahead log, and the index of that. */
const LOG_SUFFIXES = ["-wal", "-shm"];
const AUTOMATIC = /^before-upgrade-.*\.db$/;

/** Writes a copy of the whole database, as of one moment, while it stays in use. */
export function backUp(database: Database, file: string): void {
  if (existsSync(file)) {
    throw new AppError("conflict", `${file} exists already.`, {
      hint: "Name another file, or move that one away.",
    });
  }
  const unfinished = `${file}.partial`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    rmSync(unfinished, { force: true });
    database.query("VACUUM INTO ?").run(unfinished);
    renameSync(unfinished, file);
  } catch (cause) {
    // Asked first: where a part of the way is a file, removing throws even when forced.
    if (existsSync(unfinished)) rmSync(unfinished);
    throw new AppError("unavailable", `The backup ${file} could not be written: ${reasonOf(cause)}`, {
      hint: "Check that the folder can be written and that the disk has room.",
      cause,
    });
  }
}

/** The backup that is made before a migration. Only the newest `keep` of them stay. */
export function backUpBeforeUpgrade(database: Database, directory: string, at: number, keep: number): string {
  const folder = join(directory, "backups");
  const stamp = new Date(at).toISOString().replaceAll(":", "-");
  const file = join(folder, `before-upgrade-${stamp}.db`);
  backUp(database, file);
  const automatic = readdirSync(folder)
    .filter((name) => AUTOMATIC.test(name))
    .sort();
  for (const name of automatic.slice(0, -keep)) rmSync(join(folder, name));
  return file;
}

/** Checks that a file is a sound Docent database that this binary can read. Raises `invalid_request` otherwise. */
export function checkBackup(file: string): void {
  if (!existsSync(file)) throw new AppError("not_found", `There is no file ${file}.`);
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true });
    const verdict = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
    if (verdict?.integrity_check !== "ok") throw new Error(verdict?.integrity_check ?? "no answer");
    if (appliedMigrations(database).length === 0) throw new Error("it has no record of Docent's migrations");
    pendingMigrations(database);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_request", `${file} is not a sound Docent backup: ${reasonOf(cause)}`, {
      cause,
    });
  } finally {
    database?.close();
  }
}

/**
 * Puts a backup in the place of a data directory's database, which is kept beside it. The caller holds the server's
 * lock. Returns where the replaced database went.
 */
export function restore(directory: string, file: string, at: number): string | undefined {
  checkBackup(file);
  const target = join(directory, DATABASE_FILE);
  const incoming = `${target}.incoming`;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  rmSync(incoming, { force: true });
  copy(file, incoming);
  endSignIns(incoming);
  const kept = existsSync(target) ? keepCopy(directory, target, at) : undefined;
  // What the old database's log still held would be taken for the new one's.
  for (const suffix of LOG_SUFFIXES) rmSync(target + suffix, { force: true });
  renameSync(incoming, target);
  return kept;
}

/** A copy through SQLite, so that a backup which is itself in use, or has a write-ahead log, arrives whole. */
function copy(from: string, to: string): void {
  const database = new Database(from, { readonly: true });
  try {
    database.query("VACUUM INTO ?").run(to);
  } catch (cause) {
    rmSync(to, { force: true });
    throw new AppError("unavailable", `The backup could not be copied: ${reasonOf(cause)}`, { cause });
  } finally {
    database.close();
  }
}

/** Sessions and links that have ended since the backup must not open anything again. Of an older Docent, it has none. */
function endSignIns(file: string): void {
  const database = new Database(file);
  try {
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    for (const { name } of tables.filter(({ name }) => ["member_sessions", "member_links"].includes(name)))
      database.run(`DELETE FROM ${name}`);
  } finally {
    database.close();
  }
}

function keepCopy(directory: string, target: string, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(":", "-");
  const folder = join(directory, "backups");
  mkdirSync(folder, { recursive: true });
  const taken = readdirSync(folder).filter((name) => name.startsWith(`before-restore-${stamp}`)).length;
  const kept = join(folder, `before-restore-${stamp}${taken === 0 ? "" : `-${taken}`}.db`);
  try {
    copy(target, kept);
  } catch {
    // A damaged database cannot be read, and is the very reason to restore: its files are kept as they are.
    for (const suffix of ["", ...LOG_SUFFIXES]) {
      if (existsSync(target + suffix)) copyFileSync(target + suffix, kept + suffix);
    }
  }
  return kept;
}
