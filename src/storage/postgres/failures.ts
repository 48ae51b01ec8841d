import { AppError } from "../../errors.ts";
import { stateOf } from "./database/database.ts";

/** What an operator can do about a failure of PostgreSQL's, by the beginning of its SQLSTATE. */
const REMEDIES: readonly [state: string, hint: string][] = [
  ["53100", "The disk of the PostgreSQL server is full: free some space there."],
  ["53200", "The PostgreSQL server is out of memory: look at its log."],
  [
    "53300",
    "The PostgreSQL server takes no more connections: raise its max_connections, or lower database_connections.",
  ],
  [
    "25006",
    "PostgreSQL accepts no writes: it is a replica, or set to read only. Name the primary in database_url.",
  ],
  ["57P", "PostgreSQL is being stopped or started: Docent goes on when it accepts connections."],
  ["08", "The connection to PostgreSQL was lost: Docent goes on when it is there again."],
  ["28", "PostgreSQL refused the user or password of database_url: check both, and pg_hba.conf."],
  ["3D000", "The database that database_url names does not exist: create it (CREATE DATABASE …)."],
  ["42501", "The user of database_url may not do this: make it the owner of the database."],
  ["58", "The disk of the PostgreSQL server failed: look at its log."],
  ["XX", "PostgreSQL found the database damaged: look at its log, and restore a backup."],
];

/** The same stores, alone or in groups; a failure that a person can mend says how. */
export function explainFailures<S extends object>(stores: S): S {
  return new Proxy(stores, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === "object" && value !== null) return explainFailures(value);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const result: unknown = value.apply(target, given);
        return result instanceof Promise ? result.catch(throwExplained) : result;
      };
    },
  });
}

function throwExplained(error: unknown): never {
  throw explained(error);
}

/** The error itself, or what an operator can do about it. */
export function explained(error: unknown): unknown {
  const hint = remedyOf(error);
  if (hint === undefined) return error;
  return new AppError("unavailable", "Docent cannot store or read anything at the moment.", {
    hint,
    cause: error,
  });
}

/** What an operator can do about a failure of PostgreSQL, or of the way to it; undefined where nothing is known. */
export function remedyOf(error: unknown): string | undefined {
  const state = stateOf(error);
  if (state !== "") return REMEDIES.find(([beginning]) => state.startsWith(beginning))?.[1];
  return isLostConnection(error)
    ? "PostgreSQL cannot be reached: check that it runs, and database_url."
    : undefined;
}

/** What the driver says of a connection, rather than PostgreSQL of a statement. */
const LOST =
  /^ERR_POSTGRES_(?:CONNECTION|IDLE|LIFETIME|UNEXPECTED)|^E(?:CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_)|^FailedToOpenSocket$/;

const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && LOST.test(error.code);

/** Whether a write failed because something of that name exists already. */
export const isTaken = (error: unknown): boolean => stateOf(error) === "23505";
