import { createGaps } from "./analytics/gaps/gaps.ts";
import { type Answer, createAnswer } from "./answer/answer.ts";
import { buildPrompt } from "./answer/prompt/prompt.ts";
import { createExtractiveResponder } from "./answer/quoting.ts";
import type { AnswerDeps } from "./answer/request.ts";
import { addressOf, linkTo, normalizeBasePath, publicUrlOf, signInLink } from "./app/addresses.ts";
import { openAnalytics } from "./app/analytics.ts";
import { openAnswerCache } from "./app/answer-cache.ts";
import { takeServerLock, watchDirectory } from "./app/data-directory.ts";
import { openAdmin } from "./app/doors/admin.ts";
import { listen } from "./app/doors/listen.ts";
import { openMcp, serveMcpOverStdio } from "./app/doors/mcp.ts";
import { openReader } from "./app/doors/reader.ts";
import { openEmbedder } from "./app/embedder.ts";
import { JSON_SHAPES } from "./app/json.ts";
import { openMembers, openSignIn } from "./app/members.ts";
import { openMetrics } from "./app/metrics/metrics.ts";
import { meters, namedHosts, ollamaSettings, proxies } from "./app/settings.ts";
import { openSources, warnOfOwnerless } from "./app/sources.ts";
import { startSchedule } from "./app/upkeep/schedule.ts";
import { completeVectors, sourceWork } from "./app/upkeep/source-work.ts";
import { startUpkeep, tidyUploads } from "./app/upkeep/upkeep.ts";
import type { Environment } from "./config/load.ts";
import type { Config } from "./config/settings.ts";
import { createCurated } from "./curated/curated.ts";
import { AppError } from "./errors.ts";
import type { GuardDeps } from "./http/guard/guard.ts";
import { createReaderPasses } from "./http/guard/reader-pass.ts";
import { createReaderLinks } from "./http/reader-site/signed-links.ts";
import { createServer } from "./http/server.ts";
import { createStreams } from "./http/stream/streams.ts";
import { createFairOrder } from "./ingest/fair-order.ts";
import { createEmbeddedReader } from "./ingest/sources/embedded.ts";
import { createAdminKeys } from "./keys/admin-keys.ts";
import { createKeys } from "./keys/keys.ts";
import type { Clock } from "./lib/clock.ts";
import { createPacer } from "./lib/event-loop.ts";
import { createIds, type RandomBytes } from "./lib/ids.ts";
import type { Log } from "./lib/log.ts";
import { limitWarnings } from "./lib/log.ts";
import { createConcurrency } from "./limits/concurrency.ts";
import { createLimits } from "./limits/limits.ts";
import type { LineStreams } from "./mcp/stdio/line-transport.ts";
import { openOllama } from "./ollama/ollama.ts";
import { createServersWarmth } from "./ollama/pool/warming.ts";
import { createSearch } from "./search/search.ts";
import { createSiteDirectory } from "./sites/directory.ts";
import type { Sites } from "./sites/sites.ts";
import { createSites, type Site } from "./sites/sites.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { ServerLock } from "./storage/storage.ts";
import { createRetention } from "./threads/retention.ts";
import { createThreads } from "./threads/threads.ts";
import { createAssets } from "./web/assets.ts";
import { readBundled } from "./web/bundled.ts";

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
  const sites = createSites({ store: storage.people.sites, clock, ids });
  if (!storage.isReadOnly && (await sites.listOrganizations()).length === 0)
    await addFirstOrganization(sites);
  const secret = config.reader_secret || storage.meta.getOrAdd("reader_secret", () => ids.key(""));
  const readerLinks = createReaderLinks({
    secret,
    lifetimeMs: config.reader_link_seconds * SECOND_MS,
    clock,
  });
  const ollama = openOllama({ settings: ollamaSettings(config), buildPrompt, clock, log });
  const embedder = openEmbedder(config, clock, log);
  const search = createSearch({
    store: storage.content.search,
    embedder,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
    signsMax: config.vectors_in_memory,
    questionMs: config.question_vector_seconds * SECOND_MS,
  });
  const curated = createCurated({
    store: storage.content.curated,
    embedder,
    clock,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
    strengthMin: config.curated_min,
    questionMs: config.question_vector_seconds * SECOND_MS,
    answerBytesMax: config.page_bytes,
  });
  const gaps = createGaps({
    store: storage.reports.gaps,
    search,
    curated,
    pages: storage.content.pages,
    embedder,
    clock,
    ids,
    log: limitWarnings(log, { everyMs: MINUTE_MS, clock }),
    canStore: !storage.isReadOnly,
    relevanceMin: config.relevance_min,
    questionsMax: config.gap_questions,
    questionMs: config.question_vector_seconds * SECOND_MS,
  });
  const threads = createThreads({
    store: storage.conversations.threads,
    clock,
    ids,
    pastTurns: config.history_turns,
  });
  const extractive = createExtractiveResponder();
  const pace = createPacer();

  /** The line from question to answer, with links as readers reach them under that address. Measuring changes parts of it. */
  function openAnswer(
    publicUrl: string,
    changes: Partial<AnswerDeps> = {},
    observe?: AnswerDeps["observe"],
  ): Answer {
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
      observe,
      pace,
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
    analytics: openAnalytics(storage, { clock, ids }),
    gaps,
    retention: createRetention({ store: storage.conversations.retention, clock }),
    ollama,
    readerLinks,
    readerPasses: createReaderPasses({ secret, clock }),
    openAnswer,
    keys: createKeys({ store: storage.people.keys, clock, ids }),
    adminKeys: createAdminKeys({ store: storage.people.adminKeys, clock, ids }),
    members: openMembers({ config, storage, clock, ids }),
    ...openSources({ config, storage, embedder, clock, log, environment }),
    readEmbedded: createEmbeddedReader,
    pages: storage.content.pages,
    inventory: storage.content.inventory,
    openPlainIndex: storage.openPlainIndex,
    json: JSON_SHAPES,
    publicUrl: (port = config.port) => publicUrlOf(config, port),
    signInLink,
    serveMcpOverStdio: (site: Site, streams: LineStreams, signal: AbortSignal) =>
      serveMcpOverStdio(
        { config, log, pages: storage.content.pages, search, readerLinks },
        site,
        streams,
        signal,
      ),
    backUp: storage.backUp,
    close: () => storage.close(),
  };
}

export type { OllamaState } from "./ollama/ollama.ts";
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** A running server. */
export interface App {
  /** Where it listens, with the base path. */
  url: string;
  /** Where it is reached from outside. */
  publicUrl: string;
  /** Where its metrics are, if they have an address of their own. */
  metricsUrl: string | undefined;
  parts: Parts;
  /** Resolves, with why, when the server cannot go on. It is to be closed then. */
  lost: Promise<AppError>;
  /** Stops taking questions, lets running answers finish for a bounded time, and closes the database. */
  close(): Promise<void>;
}

/** Starts a server. Raises `conflict` when another one has the data directory. */
export async function startApp(surroundings: Surroundings): Promise<App> {
  const { config, log } = surroundings;
  const lock = takeServerLock(config.data);
  try {
    const parts = await openParts(surroundings, { locked: true });
    try {
      return await serve(surroundings, parts, lock);
    } catch (error) {
      parts.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    log.debug("the server did not start", { error });
    throw error;
  }
}

async function serve(surroundings: Surroundings, parts: Parts, lock: ServerLock): Promise<App> {
  const { config, clock, log } = surroundings;
  const failed = await parts.threads.failUnfinished();
  if (failed > 0) log.warn("answers were cut off when the server last stopped", { turns: failed });
  await parts.storage.conversations.answerCache.trim(config.answer_cache_answers);
  await tidyUploads(parts, log);
  await warnOfOwnerless(parts, log);
  const { vectors } = parts.storage;
  if (!vectors.available)
    log.info("sqlite-vec cannot be loaded: search measures vectors without it, more slowly", {
      reason: vectors.reason,
    });
  const limits = createLimits({
    store: parts.storage.people.limits,
    clock,
    maxSubjects: config.limit_subjects,
  });
  const directory = createSiteDirectory(parts.storage.people.sites);
  const guard: GuardDeps = {
    keys: parts.keys,
    directory,
    limits,
    concurrency: createConcurrency(config.address_streams),
    meters: meters(config),
    isProxy: proxies(config),
    readerPasses: parts.readerPasses,
    log,
  };
  const streams = createStreams();
  // Twice as often as a quiet connection is closed, or a stream whose model thinks would be cut off.
  const heartbeatMs = Math.min(config.heartbeat_seconds, config.connection_idle_seconds / 2) * SECOND_MS;
  const basePath = normalizeBasePath(config.base_path);
  const metrics = openMetrics(config, {
    ledger: parts.ledger,
    databaseSize: parts.storage.size,
    load: parts.ollama.load,
    openStreams: streams.count,
    clock,
  });
  let stopping = false;
  // Links need the port, which is known once the server listens: no question can come before.
  let answer: Answer | undefined;
  const publicUrl = (): string => parts.publicUrl(server.server?.port);
  const isNamedHost = namedHosts(config);
  const session = openSignIn(surroundings, parts, { limits, publicUrl, isNamedHost });
  const admin = openAdmin(surroundings, parts, {
    guard: { adminKeys: parts.adminKeys, ...session.door, directory },
    streams,
    trial: { guard, heartbeatMs },
    metricsUrl: () => (metrics ? (metricsListener?.url ?? `${publicUrl()}/metrics`) : null),
  });
  const server = createServer({
    admin: admin.options,
    session,
    analytics: parts.analytics,
    gaps: parts.gaps,
    basePath,
    ids: parts.ids,
    clock,
    metrics: metrics?.replies,
    log,
    isReady: () => !stopping,
    assets: createAssets(readBundled),
    reader: openReader(surroundings, parts, { guard, door: session.door }),
    mcp: { isNamedHost, publicUrl, open: (site) => openMcp(parts, site, publicUrl()) },
    search: parts.search,
    messages: {
      answer: (request, signal) => {
        answer ??= parts.openAnswer(publicUrl(), {}, metrics?.observeTurn);
        return answer(request, signal);
      },
      guard,
      streams,
      bodyBytesMax: config.body_bytes,
      bodyMs: config.body_seconds * SECOND_MS,
      messageCharactersMax: config.message_characters,
      heartbeatMs,
    },
  });
  const metricsListener = listen(server, metrics?.listener(log), config);
  const url = addressOf(config, server.server?.port);

  const flush = ({ isEnding = false } = {}) =>
    Promise.all([
      limits.flush(),
      parts.keys.flush(),
      parts.adminKeys.flush(),
      session.door.sessions.flush(),
      parts.analytics.searchLog.flush({ isEnding }),
    ]).catch((error) => log.error("counts could not be written", { error }));
  const timer = setInterval(() => flush(), FLUSH_MS);
  const watch = watchDirectory(lock, config.data);

  const schedule = startSchedule({
    ...sourceWork({ ...surroundings, runMs: config.run_seconds * SECOND_MS }, parts),
    order: createFairOrder(config.organizations_at_once),
    clock,
    log,
  });
  const vectorUpkeep = completeVectors(parts, createFairOrder(config.organizations_at_once), log);
  const upkeep = startUpkeep(parts, log);
  const warmth = createServersWarmth(parts.ollama.servers, {
    settings: ollamaSettings(config),
    everyMs: LOOK_MS,
    clock,
    log,
  });
  if (config.preload === "on") warmth.start();

  async function shutDown(): Promise<void> {
    stopping = true;
    const resting = Promise.all([schedule, admin, vectorUpkeep, upkeep, warmth].map((each) => each.close()));
    const accepting = server.server?.stop(false);
    await streams.drain(config.shutdown_seconds * SECOND_MS);
    await server.server?.stop(true);
    await metricsListener?.close();
    await accepting;
    clearInterval(timer);
    watch.close();
    await resting;
    await flush({ isEnding: true });
    parts.close();
    lock.release();
  }

  let closing: Promise<void> | undefined;
  return {
    url,
    publicUrl: publicUrl(),
    metricsUrl: metricsListener?.url,
    parts,
    lost: watch.lost,
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

/** Adds the organization that a new data directory begins with. */
export async function addFirstOrganization(sites: Sites): Promise<void> {
  try {
    await sites.addOrganization("default");
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
  }
}
