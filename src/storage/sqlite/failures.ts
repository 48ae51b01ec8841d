import { AppError } from "@docent/kernel/errors";
import { eachPart, isInParts } from "../each-part.ts";
import type { Patience } from "../patience.ts";

/** What an operator can do about a failure of SQLite's, by the beginning of its code. */
const REMEDIES: readonly [code: string, hint: string][] = [
  ["SQLITE_FULL", "The disk is full: free some space where the data directory is."],
  ["SQLITE_IOERR", "The disk of the data directory failed or is full: look at it, and at the system's log."],
  [
    "SQLITE_READONLY",
    "The data directory cannot be written: check its owner, its mode, and how it is mounted.",
  ],
  ["SQLITE_CANTOPEN", "The database cannot be opened: check the data directory's owner and mode."],
  ["SQLITE_BUSY", "Another process is writing for long: wait until it has ended, then try again."],
  ["SQLITE_CORRUPT", "The database is damaged: restore a backup (docent restore <file>)."],
  ["SQLITE_NOTADB", "docent.db is no database: restore a backup (docent restore <file>)."],
];

/** Codes of failed writes: whether anything can be read is told by the next who reads. */
const OF_WRITES = /^SQLITE_(?:FULL|IOERR|READONLY)/;

/**
 * The same stores, alone or in groups; a failure that a person can mend says how. With patience, what finds the database
 * locked is done again: each function of a store writes once, or goes on where it was, or leaves the rest to the next.
 */
export function explainFailures<S extends object>(stores: S, patience?: Patience): S {
  return new Proxy(stores, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === "object" && value !== null) return explainFailures(value, patience);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const result: unknown = value.apply(target, given);
        if (isInParts(result)) return eachPart(result, explained);
        if (!(result instanceof Promise)) return result;
        return (
          patience === undefined ? result : outlasting(patience, result, () => value.apply(target, given))
        ).catch(throwExplained);
      };
    },
  });
}

/** What has begun already, and is done again for as long as the database is locked. */
function outlasting(patience: Patience, begun: Promise<unknown>, again: () => unknown): Promise<unknown> {
  let first: Promise<unknown> | undefined = begun;
  return patience.outlast(async () => {
    const now = first ?? again();
    first = undefined;
    return await now;
  });
}

/** Whether another process has the database for itself, or writes for long. */
export const isLocked = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

/** What an operator can do about a failure; undefined where nothing is known. */
export function remedyOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return REMEDIES.find(([beginning]) => code.startsWith(beginning))?.[1];
}

function throwExplained(error: unknown): never {
  throw explained(error);
}

/** The error itself, or what an operator can do about it. */
function explained(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const hint = remedyOf(error);
  if (hint === undefined) return error;
  return new AppError("unavailable", "Docent cannot store or read anything at the moment.", {
    hint,
    cause: error,
    cannotStore: OF_WRITES.test(codeOf(error)),
  });
}

/** Whether a write failed because something of that name exists already. */
export const isTaken = (error: unknown): boolean =>
  /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(codeOf(error));

/** SQLite's own code, also where another error was made of it; empty where it was not SQLite that failed. */
function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("code" in each && typeof each.code === "string" && each.code.startsWith("SQLITE")) return each.code;
  }
  return "";
}
