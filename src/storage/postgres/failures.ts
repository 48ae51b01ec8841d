import { AppError } from "@docent/kernel/errors";
import { eachPart, isInParts } from "../each-part.ts";
import { ENCODED } from "./address.ts";
import { stateOf } from "./database/database.ts";
import { obstacleTo } from "./way.ts";

const READ_ONLY =
  "PostgreSQL accepts no writes: it is a replica, or set to read only. Name the primary in database_url.";
const POOLED_HINT =
  "Docent needs connections that last: set pool_mode = session in PgBouncer, or name PostgreSQL itself in database_url.";
const NO_ANSWER =
  "PostgreSQL cannot be reached, or has too much to do: look at its load. A PgBouncer before it needs a default_pool_size that is enough for the connections of all servers and commands.";
const UNKNOWN_AUTHORITY =
  "The certificate of PostgreSQL is signed by nobody whom Docent trusts: name the file of your own authority with &sslrootcert=<file> in database_url, or the right one.";

/** What an operator can do about a failure, by the beginning of its SQLSTATE, or of the driver's code for it. */
const REMEDIES: readonly [state: string, hint: string][] = [
  ["53100", "The disk of the PostgreSQL server is full: free some space there."],
  ["53200", "The PostgreSQL server is out of memory: look at its log."],
  [
    "53300",
    "PostgreSQL takes no more connections: raise its max_connections, or the limit of this user or database, or lower database_connections.",
  ],
  ["25006", READ_ONLY],
  ["57P", "PostgreSQL is being started or stopped: wait until it accepts connections."],
  [
    "08P01",
    "What stands before PostgreSQL, such as PgBouncer, refused the connection: check the user, password and database of database_url, and its settings.",
  ],
  ["08", "The connection to PostgreSQL was lost: it is there again once PostgreSQL can be reached."],
  ["28P01", `PostgreSQL refused the user or password of database_url: check both. ${ENCODED}`],
  [
    "28",
    "PostgreSQL does not let this user in from here: make the user (CREATE ROLE … LOGIN), and a line for it in pg_hba.conf. Lines of hostssl need an sslmode in database_url.",
  ],
  ["3D000", "The database that database_url names does not exist: create it (CREATE DATABASE …)."],
  ["42501", "The user of database_url may not do this: make it the owner of the database."],
  ["42P05", POOLED_HINT],
  ["26000", POOLED_HINT],
  ["58", "The disk of the PostgreSQL server failed: look at its log."],
  ["XX", "PostgreSQL found the database damaged: look at its log, and restore a backup."],
  [
    "CERT_HAS_EXPIRED",
    "The certificate of PostgreSQL has expired: have a new one made, and reload PostgreSQL.",
  ],
  [
    "CERT_NOT_YET_VALID",
    "The certificate of PostgreSQL is not valid yet: compare the clocks of both machines.",
  ],
  [
    "ERR_TLS_CERT_ALTNAME",
    "The certificate of PostgreSQL is for another name: name the host in database_url as the certificate does, or have one made for this host.",
  ],
  [
    "ERR_POSTGRES_TLS_NOT_AVAILABLE",
    "This PostgreSQL does not encrypt connections: give it a certificate, and set ssl = on there.",
  ],
  ["ERR_POSTGRES_CONNECTION_SILENT", NO_ANSWER],
  ["ERR_POSTGRES_CONNECTION_TIMEOUT", NO_ANSWER],
  ["UNABLE_TO_", UNKNOWN_AUTHORITY],
  ["DEPTH_ZERO_", UNKNOWN_AUTHORITY],
  ["SELF_SIGNED_", UNKNOWN_AUTHORITY],
  ["ERR_SSL", "The encrypted connection to PostgreSQL failed: look at its log."],
];

/** Codes of a database that can be read all the same: its disk is full, or it accepts no writes. */
const UNSTORABLE = new Set(["53100", "25006"]);

/** A failure of one request, which may well succeed soon. */
interface Passing {
  /** What the one who asked is told, and can do. */
  says: string;
  hint: string;
  retryAfterSeconds: number;
}

const OTHERS_WRITE: Passing = {
  says: "Others were changing the same at that moment. Try again in a few seconds.",
  hint: "Statements of PostgreSQL stood in each other's way, time and again: look at what runs there (pg_stat_activity).",
  retryAfterSeconds: 2,
};
const HELD_UP: Passing = {
  says: "This was interrupted, and nothing of it was stored. Try again in a few seconds.",
  hint: "PostgreSQL took back a write in whose middle it heard nothing for long: this machine has too much to do, or the network was cut.",
  retryAfterSeconds: 5,
};

/** The same beginnings, of failures that pass. */
const PASSING: readonly [state: string, passing: Passing][] = [
  [
    "57014",
    {
      says: "The database took too long for this. Ask for less, such as a shorter time, or try again later.",
      hint: "PostgreSQL ended a statement that took too long: look at its load, and at what runs there (pg_stat_activity).",
      retryAfterSeconds: 10,
    },
  ],
  [
    "ERR_POSTGRES_POOL_BUSY",
    {
      says: "Docent has too much to do at the moment. Try again in a few seconds.",
      hint: "All connections of this server to PostgreSQL were in use: raise database_connections, or look at the load of PostgreSQL.",
      retryAfterSeconds: 5,
    },
  ],
  ["25P03", HELD_UP],
  ["25P04", HELD_UP],
  ["55P03", OTHERS_WRITE],
  ["40001", OTHERS_WRITE],
  ["40P01", OTHERS_WRITE],
  [
    "53",
    {
      says: "The database has too much to do at the moment. Try again in a few seconds.",
      hint: "The PostgreSQL server lacks what it needs for more: look at its log.",
      retryAfterSeconds: 10,
    },
  ],
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
        if (isInParts(result)) return eachPart(result, explained);
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
  const { says = "Docent cannot store or read anything at the moment.", retryAfterSeconds } =
    passingOf(error) ?? {};
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const cannotStore = UNSTORABLE.has(stateOf(error));
  return new AppError("unavailable", says, { hint, cause: error, cannotStore, ...retry });
}

/** What an operator can do about a failure of PostgreSQL, or of the way to it; undefined where nothing is known. */
export function remedyOf(error: unknown): string | undefined {
  const remedy = lastingRemedyOf(error) ?? passingOf(error)?.hint;
  if (remedy !== undefined) return remedy;
  return isLostConnection(error)
    ? "PostgreSQL cannot be reached: check that it runs, and database_url."
    : undefined;
}

const lastingRemedyOf = (error: unknown) => beginningOf(error, REMEDIES);

const passingOf = (error: unknown) =>
  lastingRemedyOf(error) === undefined ? beginningOf(error, PASSING) : undefined;

function beginningOf<T>(error: unknown, table: readonly [beginning: string, T][]): T | undefined {
  const state = stateOf(error) || codeOf(error);
  return table.find(([beginning]) => state.startsWith(beginning))?.[1];
}

/** Why a database could not be opened, and what to do. */
export async function cannotOpen(error: unknown, address: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  const obstacle = isLostConnection(error) ? await obstacleTo(address) : undefined;
  const reason = obstacle?.says ?? (error instanceof Error ? error.message : String(error));
  return new AppError("unavailable", `The PostgreSQL database cannot be opened: ${reason}`, {
    hint: obstacle?.hint ?? remedyOf(error) ?? "Check database_url, and the log of the PostgreSQL server.",
    cause: error,
  });
}

/** The refusal of connections that another gets after each transaction. */
export const pooledAway = () =>
  new AppError(
    "unavailable",
    "A pooler stands before PostgreSQL that lends a connection for one transaction only.",
    { hint: POOLED_HINT },
  );

/** The refusal of a pooler that has fewer connections than a server needs: its requests would wait for each other. */
export const pooledTooFew = ({ had, wanted }: { had: number; wanted: number }) =>
  new AppError(
    "unavailable",
    `Only ${had} of the ${wanted} connections to PostgreSQL that this server needs were answered.`,
    {
      hint: `A pooler before PostgreSQL has too few to give: default_pool_size of PgBouncer needs ${wanted} for each such server, and as many for each command that runs beside it. Raise it, or lower database_connections.`,
    },
  );

/** What the driver says of a connection, rather than PostgreSQL of a statement. */
const LOST =
  /^ERR_POSTGRES_(?:CONNECTION|IDLE|LIFETIME|UNEXPECTED)|^E(?:CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_)|^FailedToOpenSocket$/;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const isLostConnection = (error: unknown): boolean => stateOf(error) === "" && LOST.test(codeOf(error));

/**
 * Whether a failure is one of PostgreSQL's absence, which ends by itself: it cannot be reached, is being started or
 * stopped, has no connection to give, or took a write back that it heard nothing of. A replica is what comes before the next primary
 * where an absence has begun; to a command that finds one, it is the wrong database.
 */
export const isAway = (error: unknown, hasBegun = false): boolean =>
  isLostConnection(error) ||
  (hasBegun ? /^(?:08|57P0[123]|53300|25006|25P0[34])/ : /^(?:08|57P0[123]|53300|25P0[34])/).test(
    stateOf(error),
  );

/** Whether a write failed because something of that name exists already. */
export const isTaken = (error: unknown): boolean => stateOf(error) === "23505";
