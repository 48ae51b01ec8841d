import { resolve } from "node:path";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { createIds } from "@docent/kernel/lib/ids";
import { moveTables, openTables } from "@docent/storage/open-storage";
import { checkInstalled, lockRuns, takeServerLock } from "./data-directory.ts";
import { openSeal } from "./seal.ts";
import type { Surroundings } from "./surroundings.ts";

type Place = Pick<Config, "data" | "database_url">;

export interface MoveOptions {
  signal: AbortSignal;
  /** Told of each table that has arrived. */
  onTable?: (moved: { table: string; rows: number }) => void;
}

/** Where everything is to go: the address of a PostgreSQL database, or a directory. */
function placeOf(to: string): Place {
  if (/^postgres(?:ql)?:/.test(to)) return { data: "", database_url: to };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(to)) {
    throw new AppError("invalid_request", "Everything can be moved to PostgreSQL, or to a directory.", {
      hint: "Write the address of a database as postgres://user:password@host/docent.",
    });
  }
  return { data: resolve(to), database_url: "" };
}

/** Copies everything from where the settings say it is to another place, while no server works on either. */
export async function moveEverything(surroundings: Surroundings, to: string, options: MoveOptions) {
  const from = surroundings.config;
  const target = placeOf(to);
  if (target.database_url !== "") checkSealed(surroundings, target.database_url);
  if ((from.database_url === "") === (target.database_url === "")) {
    throw new AppError("invalid_request", "Everything is in a storage of that kind already.", {
      hint: "Move from SQLite to PostgreSQL, or back. To copy one of a kind, use docent backup, or pg_dump.",
    });
  }
  const release = lockPlaces([from, target]);
  try {
    return await move(surroundings, target, options);
  } finally {
    release();
  }
}

/** The database of the settings is the only one that a sealed process connects to. */
function checkSealed(surroundings: Surroundings, url: string): void {
  const why = URL.canParse(url) ? openSeal(surroundings).refusal("database", url) : undefined;
  if (why !== undefined) throw new AppError("forbidden", `Nothing is moved to there: ${why}.`);
}

function lockPlaces(places: readonly Place[]): () => void {
  const held: (() => void)[] = [];
  const release = () => {
    for (const each of held) each();
  };
  try {
    for (const place of places.filter(({ database_url }) => database_url === "")) {
      const lock = takeServerLock(place);
      held.push(() => lock.release());
      checkInstalled(place);
      held.push(lockRuns(place.data));
    }
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

async function move(surroundings: Surroundings, target: Place, options: MoveOptions) {
  const from = await open(surroundings, surroundings.config);
  try {
    const to = await open(surroundings, target);
    try {
      return await moveTables(from, to, options);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function open(
  { config, clock, randomBytes, log, environment }: Surroundings,
  { data: directory, database_url: url }: Place,
) {
  const { capability: newId } = createIds(clock, randomBytes);
  const connectionsMax = config.database_connections;
  return openTables({
    directory,
    synchronous: config.synchronous,
    backups: config.backups,
    locked: true,
    now: clock(),
    log,
    shared: url === "" ? undefined : { url, environment, connectionsMax, newId },
  });
}
