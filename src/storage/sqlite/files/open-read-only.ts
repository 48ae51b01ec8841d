import { constants, Database } from "bun:sqlite";
import { accessSync, existsSync, constants as modes, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Whether a database is there that this process may read and not write: on a read-only disk, or another's. */
export function isReadOnly(file: string): boolean {
  if (!existsSync(file)) return false;
  if (!isWritable(file)) return true;
  // With both of them there, SQLite needs to make no file.
  const beside = [`${file}-wal`, `${file}-shm`];
  return !isWritable(dirname(file)) && !beside.every((each) => existsSync(each) && isWritable(each));
}

/**
 * Opens a database that cannot be written, as it was when it was last written. In WAL mode SQLite writes beside the
 * database even to read it, so that each state of those files needs a way of its own.
 */
export function openReadOnly(file: string): Database {
  const address = pathToFileURL(resolve(file)).href;
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  // Another account's server is at work, or the disk is a picture of one: the index of its log can be read too.
  if (log && existsSync(`${file}-shm`)) return prepare(new Database(address, FLAGS));
  // Nothing is in a log, and nobody is at work who could write one: SQLite need not lock, nor look for it.
  if (!log?.size) return prepare(new Database(`${address}?immutable=1`, FLAGS));
  // A log that was left behind, without its index: SQLite makes one in memory where it has the database to itself, which
  // it takes for granted here, because a lock cannot be had.
  const database = new Database(`${address}?vfs=unix-none`, FLAGS);
  database.run("PRAGMA locking_mode = EXCLUSIVE");
  return prepare(database);
}

const FLAGS = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;

function prepare(database: Database): Database {
  try {
    database.run("PRAGMA busy_timeout = 5000");
    database.run("PRAGMA cache_size = -16384");
    database.run("PRAGMA temp_store = MEMORY");
    // Fails here, with its reason, where the files are of no use.
    database.query("SELECT count(*) FROM sqlite_master").get();
    return byName(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * The same database, which takes parameters by their names alone, as `strict` does: Bun takes either that, or the flags
 * without which an address cannot say how a database is to be opened.
 */
function byName(database: Database): Database {
  return new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "query" && name !== "prepare") return value.bind(target);
      return (...given: unknown[]) => withNames(value.apply(target, given));
    },
  });
}

function withNames<S extends object>(statement: S): S {
  return new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => value.apply(target, given.map(withSigns));
    },
  });
}

/** `{ id }` becomes `{ $id }`; bytes and single values stay. */
function withSigns(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Object.getPrototypeOf(given) !== Object.prototype)
    return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [`$${name}`, value]));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, modes.W_OK);
    return true;
  } catch {
    return false;
  }
}
