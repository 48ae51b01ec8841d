import type { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { makeFolder } from "@docent/kernel/lib/durable-files";
import { createIds, type Ids } from "@docent/kernel/lib/ids";
import { createGolden, type Golden } from "@docent/measuring/golden/golden";
import { createSources } from "@docent/sites/ingest/ingest";
import { createNotices } from "@docent/sites/notices/notices";
import { openStorage } from "@docent/storage/open-storage";
import type { ServerLock, StorageOptions, Waiting } from "@docent/storage/storage";
import { type Answers, openAnswers } from "./app/answers/answers.ts";
import { type Content, openContent } from "./app/content.ts";
import { checkInstalled, takeServerLock, watchDirectory } from "./app/data-directory.ts";
import { openEnrichments, takeWritten } from "./app/enrichments/enrichments.ts";
import type { Ground, Parts } from "./app/parts.ts";
import { openPeople } from "./app/people.ts";
import { recordRuns } from "./app/recorded-runs.ts";
import { openReports, type Reports } from "./app/reports.ts";
import { openSeal } from "./app/seal.ts";
import type { Surroundings } from "./app/surroundings.ts";
import { openNoticeWays } from "./delivery/delivery.ts";
import { openScheduledBackups } from "./upkeep/open-backups.ts";

/** Whoever waits for the server to start is answered before what nobody waits for begins. */
const ANSWERED_MS = 5;
/** How often counts are written: a killed server loses at most this much of them. */
const FLUSH_MS = SECOND_MS;

/** Opens the parts that work on the data directory, each after those it needs. */
export async function openParts(
  surroundings: Surroundings,
  { locked = false, onUpgrade }: Partial<Pick<StorageOptions, "locked" | "onUpgrade">> = {},
): Promise<Parts> {
  const { config, clock, randomBytes, log } = surroundings;
  checkInstalled(config);
  const ids = createIds(clock, randomBytes);
  // What is not kept in the database lies there: uploads, and what is being read.
  if (config.database_url !== "") makeFolder(config.data);
  const storage = await openStorage({
    directory: config.data,
    synchronous: config.synchronous,
    memoryBytes: locked ? config.database_memory_bytes : undefined,
    backups: config.backups,
    locked,
    now: clock(),
    log,
    waiting: locked ? undefined : waitingOf(surroundings),
    shared: sharedDatabase(surroundings, ids),
    onUpgrade,
  });
  const ground: Ground = { ...surroundings, seal: openSeal(surroundings), ids, storage };
  const people = await openPeople(ground);
  const content = openContent(ground, { isServer: locked });
  const answers = openAnswers(ground, content, people);
  const reports = openReports(ground, content, answers);
  const golden = openGolden(ground, { content, answers, reports });
  const opened = recordRuns(openSources(ground, content, golden), people.audit, surroundings.runsAs);
  const enrichments = openEnrichments(ground, { content, answers, reports, vectors: opened.vectors, people });
  const sources = takeWritten(opened, enrichments, log);
  const notices = openNotices(ground);
  const backups = openScheduledBackups(surroundings, storage);
  async function close(): Promise<void> {
    content.index.close();
    await storage.close();
  }
  return {
    ids,
    storage,
    people,
    content,
    answers,
    reports,
    golden,
    enrichments,
    sources,
    backups,
    notices,
    close,
  };
}

const openNotices = ({ config, seal, clock, ids, log, storage }: Ground) =>
  createNotices({
    store: storage.people.notices,
    ways: openNoticeWays(config, seal),
    isSealed: seal.isSealed,
    clock,
    ids,
    log,
  });

const openSources = (ground: Ground, { embedder, index, calibrator }: Content, { watch }: Golden) =>
  createSources({
    ...ground,
    settings: ground.config,
    stores: ground.storage.content,
    embedder,
    index,
    calibrator,
    watch,
    listOrganizations: () => ground.storage.people.sites.listOrganizations(),
  });

/** The database that this server shares with others, where the operator names one. */
function sharedDatabase({ config, environment }: Surroundings, { capability: newId }: Ids) {
  const { database_url, database_connections: connectionsMax } = config;
  if (database_url === "") return undefined;
  return { url: database_url, environment, connectionsMax, newId };
}

/** A run or a command waits for a database that is away. A server tells its readers at once, and does its own work later. */
const waitingOf = ({ config, runsAs, stops }: Surroundings): Waiting => ({
  secondsMax: config.database_wait_seconds,
  fromStart: runsAs === "server",
  stops,
});

export interface App {
  /** The address on which it listens, with the base path. */
  url: string;
  /** The address under which it is reached from outside. */
  publicUrl: string;
  /** The address of its metrics, if they have their own. */
  metricsUrl: string | undefined;
  parts: Parts;
  /** Resolves with the reason when the server cannot go on. The caller then closes it. */
  lost: Promise<AppError>;
  /** Stops taking questions, lets running answers finish for a bounded time, and closes the database. */
  close(): Promise<void>;
}

/** Starts a server. Raises `conflict` when another one holds the data directory. */
export async function startApp(surroundings: Surroundings): Promise<App> {
  const { config, log } = surroundings;
  if (surroundings.kernelSeal?.isHeld === false)
    log.warn(`${surroundings.kernelSeal.says}; Docent's own guard holds alone`);
  const lock = takeServerLock(config);
  try {
    const parts = await openParts(surroundings, { locked: true });
    try {
      return await serve(surroundings, parts, lock);
    } catch (error) {
      await parts.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    log.debug("the server did not start", { error });
    throw error;
  }
}

async function serve(surroundings: Surroundings, parts: Parts, lock: ServerLock): Promise<App> {
  // Loaded here because most commands need the parts but no server.
  const [{ openDoors }, { startRest, startUpkeep, tidyUp }] = await Promise.all([
    import("./doors/doors.ts"),
    import("./upkeep/upkeep.ts"),
  ]);
  await tidyUp(surroundings, parts);
  const doors = await openDoors(surroundings, parts);
  await doors.listen();
  await Bun.sleep(ANSWERED_MS);
  let flushing: Promise<void> | undefined;
  const counting = setInterval(() => {
    // Where the database does not answer, one waits for it, and not one more each second.
    flushing ??= doors.flush().finally(() => {
      flushing = undefined;
    });
  }, FLUSH_MS);
  const watch = watchDirectory(lock, surroundings.config.data);
  const upkeep = startUpkeep(surroundings, parts, { publicUrl: doors.publicUrl() });
  const rest = startRest(surroundings.runtime, parts.storage, doors.isAtRest);

  async function shutDown(): Promise<void> {
    const rested = upkeep.close();
    await doors.close();
    clearInterval(counting);
    watch.close();
    rest.close();
    await rested;
    await flushing;
    await doors.flush({ isEnding: true });
    await parts.close();
    lock.release();
  }

  let closing: Promise<void> | undefined;
  return {
    url: doors.url(),
    publicUrl: doors.publicUrl(),
    metricsUrl: doors.metricsUrl(),
    parts,
    lost: watch.lost,
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

interface Uses {
  content: Content;
  answers: Answers;
  reports: Reports;
}

/** Opens the golden questions of sites, which runs are asked with, and the reports of generations. */
export function openGolden({ config, clock, ids, storage }: Ground, uses: Uses): Golden {
  const { golden, generationReports } = storage.reports;
  const { search, pages } = uses.content;
  return createGolden({
    settings: config,
    stores: { golden, generationReports },
    search,
    pages,
    siteOf: async (siteId) => (await storage.people.sites.listSites()).find(({ id }) => id === siteId),
    analytics: uses.reports.analytics,
    curated: uses.answers.curated,
    clock,
    ids,
  });
}
