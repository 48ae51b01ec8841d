import { type Answer, createAnswer } from "./answer/answer.ts";
import { createExtractiveResponder } from "./answer/extractive.ts";
import { buildPrompt } from "./answer/prompt.ts";
import type { AnswerDeps } from "./answer/request.ts";
import { addressOf, linkTo, normalizeBasePath, publicUrlOf } from "./app/addresses.ts";
import { openAnswerCache } from "./app/answer-cache.ts";
import { openEmbedder } from "./app/embedder.ts";
import { startSchedule } from "./app/schedule.ts";
import { meters, ollamaSettings, proxies } from "./app/settings.ts";
import { completeVectors, sourceWork } from "./app/source-work.ts";
import { openSources } from "./app/sources.ts";
import type { Environment } from "./config/load.ts";
import type { Config } from "./config/settings.ts";
import { createCurated } from "./curated/curated.ts";
import { AppError } from "./errors.ts";
import type { GuardDeps } from "./http/guard.ts";
import { createReaderLinks } from "./http/reader-links.ts";
import { createServer } from "./http/server.ts";
import { createStreams } from "./http/streams.ts";
import { createEmbeddedReader } from "./ingest/sources/embedded.ts";
import { createAdminKeys } from "./keys/admin-keys.ts";
import { createKeys } from "./keys/keys.ts";
import { createCalmLog } from "./lib/calm-log.ts";
import type { Clock } from "./lib/clock.ts";
import { createIds, type RandomBytes } from "./lib/ids.ts";
import type { Log } from "./lib/log.ts";
import { createConcurrency } from "./limits/concurrency.ts";
import { createLimits } from "./limits/limits.ts";
import { openOllama } from "./ollama/ollama.ts";
import { createServersWarmth } from "./ollama/warm-servers.ts";
import { createSearch } from "./search/search.ts";
import { createSiteDirectory } from "./sites/directory.ts";
import { createSites } from "./sites/sites.ts";
import { backUp, restore } from "./storage/backup.ts";
import { openPlainIndex } from "./storage/plain-index.ts";
import { lockIngests, lockServer, openStorage } from "./storage/storage.ts";
import { createThreads } from "./threads/threads.ts";

const FLUSH_MS = 1000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** How soon a model that was pulled, or taken in another's place, is loaded. */
const LOOK_MS = 30 * SECOND_MS;

/** What the process brings: its settings, its time and chance, and where it writes. */
export interface Surroundings {
  config: Config;
  clock: Clock;
  randomBytes: RandomBytes;
  log: Log;
  /** The process's own: where git is, and what sources sign in with. */
  environment: Environment;
  /** Runs a command in a process of its own; without it, runs of sources are done in this one. */
  runSelf?: (words: string[], signal: AbortSignal) => Promise<void>;
}

/** Everything that works on the data directory. Commands of the CLI use it beside a running server. */
export async function openParts(surroundings: Surroundings, { locked = false } = {}) {
  const { config, clock, randomBytes, log, environment } = surroundings;
  const ids = createIds(clock, randomBytes);
  const storage = await openStorage({
    directory: config.data,
    synchronous: config.synchronous,
    backups: config.backups,
    locked,
    now: clock(),
    log,
  });
  const sites = createSites({ store: storage.sites, clock, ids });
  if ((await sites.listOrganizations()).length === 0) await addFirstOrganization(sites);
  const secret = config.reader_secret || storage.meta.getOrAdd("reader_secret", () => ids.key(""));
  const readerLinks = createReaderLinks({
    secret,
    lifetimeMs: config.reader_link_seconds * SECOND_MS,
    clock,
  });
  const ollama = openOllama({ settings: ollamaSettings(config), buildPrompt, clock, log });
  const embedder = openEmbedder(config, clock, log);
  const search = createSearch({
    store: storage.search,
    embedder,
    log: createCalmLog(log, { everyMs: MINUTE_MS, clock }),
    signsMax: config.vectors_in_memory,
    questionMs: config.question_vector_seconds * SECOND_MS,
  });
  const curated = createCurated({
    store: storage.curated,
    embedder,
    clock,
    log: createCalmLog(log, { everyMs: MINUTE_MS, clock }),
    strengthMin: config.curated_min,
    questionMs: config.question_vector_seconds * SECOND_MS,
    answerBytesMax: config.page_bytes,
  });
  const threads = createThreads({ store: storage.threads, clock, ids, pastTurns: config.history_turns });
  const extractive = createExtractiveResponder();

  /** The line from question to answer, with links as readers reach them under that address. Measuring changes parts of it. */
  function openAnswer(publicUrl: string, changes: Partial<AnswerDeps> = {}): Answer {
    const { responder } = ollama;
    // What is measured must not be an answer of before.
    const answersMax = Object.keys(changes).length === 0 ? config.answer_cache_answers : 0;
    return createAnswer({
      threads,
      search,
      embedder,
      responder,
      curated,
      cache: openAnswerCache({ config, answersMax, storage, responder, readerLinks, publicUrl, clock, log }),
      fallback: config.fallback === "extractive" ? extractive : undefined,
      linkTo: (site, passage) => linkTo(site, passage, publicUrl, readerLinks.query(site, passage)),
      relevanceMin: config.relevance_min,
      clock,
      log,
      ...changes,
    });
  }

  return {
    config,
    log,
    ids,
    storage,
    sites,
    search,
    embedder,
    curated,
    threads,
    ollama,
    readerLinks,
    openAnswer,
    keys: createKeys({ store: storage.keys, clock, ids }),
    adminKeys: createAdminKeys({ store: storage.adminKeys, clock, ids }),
    ...openSources({ config, storage, embedder, clock, log, environment }),
    readEmbedded: createEmbeddedReader,
    pages: storage.pages,
    openPlainIndex,
    publicUrl: (port = config.port) => publicUrlOf(config, port),
    backUp: (file: string) => backUp(storage.database, file),
    close: () => storage.close(),
  };
}

export type { OllamaState } from "./ollama/ollama.ts";
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** A running server. */
export interface App {
  /** Where it listens, with the base path. */
  url: string;
  parts: Parts;
  /** Stops taking questions, lets running answers finish for a bounded time, and closes the database. */
  close(): Promise<void>;
}

/** Starts a server. Raises `conflict` when another one has the data directory. */
export async function startApp(surroundings: Surroundings): Promise<App> {
  const { config, log } = surroundings;
  const unlock = takeServerLock(config.data);
  try {
    const parts = await openParts(surroundings, { locked: true });
    try {
      return await serve(surroundings, parts, unlock);
    } catch (error) {
      parts.close();
      throw error;
    }
  } catch (error) {
    unlock();
    log.debug("the server did not start", { error });
    throw error;
  }
}

/** Puts a backup in the place of the data directory's database. Returns where the replaced one was kept. */
export function restoreBackup({ config, clock }: Surroundings, file: string): string | undefined {
  const unlock = takeServerLock(config.data);
  try {
    const endRuns = lockRuns(config.data);
    try {
      return restore(config.data, file, clock());
    } finally {
      endRuns();
    }
  } finally {
    unlock();
  }
}

async function serve(surroundings: Surroundings, parts: Parts, unlock: () => void): Promise<App> {
  const { config, clock, log } = surroundings;
  const failed = await parts.threads.failUnfinished();
  if (failed > 0) log.warn("answers were cut off when the server last stopped", { turns: failed });
  await parts.storage.answerCache.trim(config.answer_cache_answers);
  const { vectors } = parts.storage;
  if (!vectors.available)
    log.info("sqlite-vec cannot be loaded: search measures vectors without it, more slowly", {
      reason: vectors.reason,
    });
  const limits = createLimits({ store: parts.storage.limits, clock, maxSubjects: config.limit_subjects });
  const directory = createSiteDirectory(parts.storage.sites);
  const guard: GuardDeps = {
    keys: parts.keys,
    directory,
    limits,
    concurrency: createConcurrency(config.address_streams),
    meters: meters(config),
    isProxy: proxies(config),
    log,
  };
  const streams = createStreams();
  const basePath = normalizeBasePath(config.base_path);
  let stopping = false;
  // Links need the port, which is known once the server listens: no question can come before.
  let answer: Answer | undefined;
  const server = createServer({
    basePath,
    ids: parts.ids,
    log,
    isReady: () => !stopping,
    reader: { directory, pages: parts.pages, links: parts.readerLinks, basePath },
    search: parts.search,
    messages: {
      answer: (request, signal) => {
        answer ??= parts.openAnswer(parts.publicUrl(server.server?.port));
        return answer(request, signal);
      },
      guard,
      streams,
      bodyBytesMax: config.body_bytes,
      bodyMs: config.body_seconds * SECOND_MS,
      messageCharactersMax: config.message_characters,
      // Twice as often as a quiet connection is closed, or a stream whose model thinks would be cut off.
      heartbeatMs: Math.min(config.heartbeat_seconds, config.connection_idle_seconds / 2) * SECOND_MS,
    },
  });
  listen(server, config);
  const url = addressOf(config, server.server?.port);

  const flush = () =>
    Promise.all([limits.flush(), parts.keys.flush(), parts.adminKeys.flush()]).catch((error) =>
      log.error("counts could not be written", { error }),
    );
  const timer = setInterval(flush, FLUSH_MS);

  const schedule = startSchedule({
    ...sourceWork({ ...surroundings, runMs: config.run_seconds * SECOND_MS }, parts),
    ...{ clock, log },
  });
  const upkeep = completeVectors(parts, log);
  const warmth = createServersWarmth(parts.ollama.servers, {
    ...{ settings: ollamaSettings(config), everyMs: LOOK_MS, clock, log },
  });
  if (config.preload === "on") warmth.start();

  async function shutDown(): Promise<void> {
    stopping = true;
    const resting = Promise.all([schedule.close(), upkeep.close(), warmth.close()]);
    const accepting = server.server?.stop(false);
    await streams.drain(config.shutdown_seconds * SECOND_MS);
    await server.server?.stop(true);
    await accepting;
    clearInterval(timer);
    await resting;
    await flush();
    parts.close();
    unlock();
  }

  let closing: Promise<void> | undefined;
  return {
    url,
    parts,
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

function listen(server: ReturnType<typeof createServer>, config: Config): void {
  try {
    server.listen({
      hostname: config.host,
      port: config.port,
      idleTimeout: config.connection_idle_seconds,
      // Elysia shares the port with whoever has it already: each would then get a part of the requests.
      reusePort: false,
      // Bun's page for a developer shows the source of what failed.
      development: false,
      // Bodies are bounded where they are read, with an answer that says so.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (cause) {
    throw new AppError("conflict", `Docent cannot listen on ${config.host} port ${config.port}.`, {
      hint: "Another program may be using that port: name another one with --port, or stop that program.",
      cause,
    });
  }
}

function takeServerLock(directory: string): () => void {
  const unlock = lockServer(directory);
  if (unlock) return unlock;
  throw new AppError("conflict", `A server is using the data directory ${directory}.`, {
    hint: "Stop it first, or name another directory with --data.",
  });
}

/** A run that went on would write to the database that is put away, and report success. */
function lockRuns(directory: string): () => void {
  const release = lockIngests(directory);
  if (release) return release;
  throw new AppError("conflict", `Docs are being read into the data directory ${directory}.`, {
    hint: "Wait until docent ingest has ended, then run this again.",
  });
}

async function addFirstOrganization(sites: ReturnType<typeof createSites>): Promise<void> {
  try {
    await sites.addOrganization("default");
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
  }
}
