import { AppError } from "@docent/kernel/errors";
import { createContentStores } from "../content/content.ts";
import { createConversationStores } from "../conversations/conversations.ts";
import { createMetaStore } from "../meta.ts";
import type { TableStore } from "../move/tables.ts";
import { createPatience } from "../patience.ts";
import { createPeopleStores } from "../people/people.ts";
import { createReportStores } from "../reports/reports.ts";
import type { Sql } from "../sql/sql.ts";
import {
  ALONE_WORK,
  type AloneWork,
  type SharedDatabase,
  type Storage,
  type StorageDescription,
  type StorageOptions,
  type StorageWarning,
} from "../storage.ts";
import { checkAddress, transportWarning, withEnvironment } from "./address.ts";
import { createOwnContent } from "./content/content.ts";
import { type Database, openDatabase, outlasting, type Queries } from "./database/database.ts";
import { cannotOpen, explainFailures, isAway, pooledAway, pooledTooFew, remedyOf } from "./failures.ts";
import { createLeases, type Leases } from "./leases.ts";
import { createLimitStore } from "./limits.ts";
import { upgrade } from "./migrate.ts";
import { createModelLine } from "./model-line.ts";
import { createPlaceStore } from "./places.ts";
import { createOwnSites, emptyRemovedSites } from "./removed-sites.ts";
import { type Joined, joinServers } from "./servers.ts";
import { createPostgresSql } from "./sql.ts";
import { createTableStore } from "./tables.ts";
import { openWatch } from "./watch.ts";

/** What a server, or a command, needs to work on a PostgreSQL database. */
export interface PostgresOptions
  extends SharedDatabase,
    Pick<StorageOptions, "now" | "log" | "waiting">,
    Pick<Storage, "openPlainIndex"> {
  /** Whether this process is a server, which says so to the others. */
  isServer: boolean;
}

const CONNECT_SECONDS_MAX = 5;

/** A storage with the name of its database, which nobody but tests may know of. */
export interface PostgresStorage extends Storage {
  databaseName: string;
}

/** Everything in a PostgreSQL database, which any number of servers share. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresStorage> {
  const { waiting, log } = options;
  if (waiting?.fromStart !== true) return open(options);
  const couldNotReach = (error: unknown, hasBegun: boolean) =>
    error instanceof AppError && isAway(error.cause, hasBegun);
  return createPatience({ ...waiting, isAway: couldNotReach, remedyOf: hintOf, log }).outlast(() =>
    open(options),
  );
}

const hintOf = (error: unknown) => (error instanceof AppError ? error.hint : undefined);

async function open(options: PostgresOptions): Promise<PostgresStorage> {
  const { connectionsMax, newId, isServer, now, waiting, log } = options;
  const url = withEnvironment(options.url, options.environment);
  checkAddress(url);
  const namesWrites = waiting !== undefined;
  const database = openDatabase({ url, connectionsMax, connectSecondsMax: CONNECT_SECONDS_MAX, namesWrites });
  const watch = openWatch(url, database.reconnect);
  const closeAll = () => Promise.all([watch.close(), database.close()]);
  try {
    await checkConnections(database);
    const { name, isReadOnly } = await upgrade(database, now);
    if (isServer && isReadOnly) throw readOnly();
    if (isServer) await checkStanding(database, connectionsMax);
    const serverId = isServer ? newId() : undefined;
    const server =
      serverId === undefined ? undefined : await joinServers(database, { id: serverId, watch, log });
    // One that is killed in the middle of a removal leaves the rest to those that come.
    if (isServer)
      emptyRemovedSites(createPostgresSql(database)).catch((error: unknown) =>
        log.debug("what removed sites had was not taken away", { error }),
      );
    const patience = waiting && createPatience({ ...waiting, isAway, remedyOf, log });
    const lasting = patience === undefined ? database : outlasting(database, patience);
    const sql = createPostgresSql(lasting);
    const leases = createLeases(lasting, { patience });
    const about = { url, name, isReadOnly };
    async function close(): Promise<void> {
      await server
        ?.leave()
        .catch((error: unknown) => log.debug("the database was not told of the end", { error }));
      await closeAll();
    }
    return {
      ...storageOf(lasting, sql, { ...about, leases }),
      ...storesOf(lasting, sql, { serverId, server, newId, leases }),
      openPlainIndex: options.openPlainIndex,
      answers: watch.answers,
      close,
    };
  } catch (error) {
    await closeAll();
    throw await cannotOpen(error, url);
  }
}

/** What the application needs of the engine. */
function storageOf(
  database: Database,
  sql: Sql,
  { url, name, isReadOnly, leases }: { url: string; name: string; isReadOnly: boolean; leases: Leases },
) {
  const warning = transportWarning(url);
  const warnings = [...(warning === undefined ? [] : [warning]), ...(isReadOnly ? [REPLICA] : [])];
  return {
    meta: createMetaStore(sql, { isReadOnly }),
    databaseName: name,
    isReadOnly,
    describe: () => describeDatabase(database, warnings),
    // PostgreSQL keeps it.
    releaseMemory() {},
    // PostgreSQL checks its pages itself, where its operator says so.
    fault: async () => undefined,
    async backUp(): Promise<void> {
      throw new AppError("invalid_request", "Docent makes no backup of a PostgreSQL database.", {
        hint: "Use pg_dump, or what your PostgreSQL is backed up with.",
      });
    },
    async takeOn(work: AloneWork) {
      const lease = await leases.take("work", [ALONE_WORK.indexOf(work)]);
      return "heldBy" in lease ? undefined : lease;
    },
  };
}

async function checkConnections(database: Database): Promise<void> {
  if (!(await database.keepsSessions())) throw pooledAway();
}

/** One by which the server is heard, and one for what it does alone. */
const APART = 2;

/** Raises where a server could not have all of its connections: it would be ready, and then not answer. */
async function checkStanding(database: Database, connectionsMax: number): Promise<void> {
  // The pool has one by now.
  const { had, silent } = await database.countConnections(connectionsMax - 1 + APART);
  if (silent > 0) throw pooledTooFew({ had: had + 1, wanted: connectionsMax + APART });
}

interface StoresOptions {
  serverId: string | undefined;
  server: Joined | undefined;
  newId: () => string;
  leases: Leases;
}

function storesOf(database: Database, sql: Sql, { serverId, server, newId, leases }: StoresOptions) {
  return explainFailures({
    content: createContentStores(sql, createOwnContent(database, { leases, serverId, newId })),
    people: createPeopleStores(sql, {
      sites: createOwnSites(sql),
      limits: createLimitStore(database, server?.aheadMs),
      places: serverId === undefined ? undefined : createPlaceStore(database, { serverId, newId }),
    }),
    conversations: createConversationStores(sql, {
      serverId,
      modelLine: serverId === undefined ? undefined : createModelLine(database, serverId),
      // What is deleted lies in the files until PostgreSQL vacuums, which it does by itself.
      forget: async () => {},
    }),
    reports: createReportStores(sql),
  });
}

const REPLICA = {
  says: "The database cannot be written: it is a replica, or set to read only. Commands that only read work here; no server starts.",
  hint: "Name the primary in database_url.",
};

const readOnly = () =>
  new AppError(
    "unavailable",
    "The PostgreSQL database cannot be written: it is a replica, or set to read only.",
    {
      hint: "Name the primary in database_url.",
    },
  );

/** The tables of a database on which no server is to work. */
export async function openPostgresTables(
  options: Pick<PostgresOptions, "url" | "environment" | "connectionsMax" | "now">,
): Promise<TableStore> {
  const { connectionsMax, now } = options;
  const url = withEnvironment(options.url, options.environment);
  checkAddress(url);
  const database = openDatabase({ url, connectionsMax, connectSecondsMax: CONNECT_SECONDS_MAX });
  try {
    await checkConnections(database);
    const { name } = await upgrade(database, now);
    const checkAlone = async () => {
      const { servers = 0 } = await describeDatabase(database, []);
      if (servers > 0) throw inUse(name, servers);
    };
    await checkAlone();
    await emptyRemovedSites(createPostgresSql(database));
    return createTableStore(database, { name: `The database ${name}`, checkAlone, close: database.close });
  } catch (error) {
    await database.close();
    throw await cannotOpen(error, url);
  }
}

const inUse = (name: string, servers: number) =>
  new AppError(
    "conflict",
    `${servers === 1 ? "A server is" : `${servers} servers are`} on the database ${name}.`,
    {
      hint: "Stop every server on it first. One that was killed counts for half a minute.",
    },
  );

const ABOUT = `
  SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
    (SELECT count(*) FROM servers WHERE seen_at > now() - interval '30 seconds') AS servers`;

/** PostgreSQL's own log is the whole server's, not this database's. */
async function describeDatabase(queries: Queries, warnings: StorageWarning[]): Promise<StorageDescription> {
  const about = await queries.get<{ version: string; bytes: number; servers: number }>(ABOUT);
  return {
    engine: `PostgreSQL ${about?.version.split(" ")[0] ?? ""}`.trim(),
    vectors: undefined,
    bytes: { database: about?.bytes ?? 0, log: 0 },
    servers: about?.servers ?? 0,
    warnings,
  };
}
