import { type Answer, createAnswer } from "./answer/answer.ts";
import { createExtractiveResponder } from "./answer/extractive.ts";
import { buildPrompt } from "./answer/prompt.ts";
import type { Config } from "./config/settings.ts";
import { AppError } from "./errors.ts";
import type { GuardDeps } from "./http/guard.ts";
import { createReaderLinks } from "./http/reader-links.ts";
import { createServer } from "./http/server.ts";
import { createStreams } from "./http/streams.ts";
import { createIngest } from "./ingest/ingest.ts";
import { createEmbeddedReader } from "./ingest/sources/embedded.ts";
import { createFolderReader } from "./ingest/sources/folder.ts";
import { createKeys } from "./keys/keys.ts";
import { matchAddresses } from "./lib/address.ts";
import type { Clock } from "./lib/clock.ts";
import { createIds, type RandomBytes } from "./lib/ids.ts";
import type { Log } from "./lib/log.ts";
import { createConcurrency } from "./limits/concurrency.ts";
import { createLimits, type Meter } from "./limits/limits.ts";
import { type OllamaSettings, openOllama } from "./ollama/ollama.ts";
import { createSearch } from "./search/search.ts";
import { createSiteDirectory } from "./sites/directory.ts";
import { createSites, type Site } from "./sites/sites.ts";
import { backUp, restore } from "./storage/backup.ts";
import { lockIngests, lockServer, openStorage } from "./storage/storage.ts";
import { createThreads } from "./threads/threads.ts";

const FLUSH_MS = 1000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What the process brings: its settings, its time and chance, and where it writes. */
export interface Surroundings {
  config: Config;
  clock: Clock;
  randomBytes: RandomBytes;
  log: Log;
}

/** Everything that works on the data directory. Commands of the CLI use it beside a running server. */
export async function openParts(surroundings: Surroundings, { locked = false } = {}) {
  const { config, clock, randomBytes, log } = surroundings;
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
  const search = createSearch({ store: storage.search });
  const threads = createThreads({ store: storage.threads, clock, ids, pastTurns: config.history_turns });
  const extractive = createExtractiveResponder();

  /** The line from question to answer, with links as readers reach them under that address. */
  function openAnswer(publicUrl: string): Answer {
    return createAnswer({
      threads,
      search,
      responder: ollama.responder,
      fallback: config.fallback === "extractive" ? extractive : undefined,
      linkTo: (site, passage) => linkTo(site, passage, publicUrl, readerLinks.query(site, passage)),
      relevanceMin: config.relevance_min,
      clock,
      log,
    });
  }

  return {
    config,
    log,
    ids,
    storage,
    sites,
    search,
    threads,
    ollama,
    readerLinks,
    openAnswer,
    keys: createKeys({ store: storage.keys, clock, ids }),
    ingest: createIngest({ store: storage.ingest, clock, pagesMax: config.pages_per_source }),
    readFolder: (root: string) => createFolderReader({ root, fileBytesMax: config.page_bytes }),
    readEmbedded: createEmbeddedReader,
    pages: storage.pages,
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

async function serve({ config, clock, log }: Surroundings, parts: Parts, unlock: () => void): Promise<App> {
  const failed = await parts.threads.failUnfinished();
  if (failed > 0) log.warn("answers were cut off when the server last stopped", { turns: failed });
  const { vectors } = parts.storage;
  if (!vectors.available)
    log.warn("vectors cannot be used here: search is by keywords", { reason: vectors.reason });
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
    v1: {
      answer: (request, signal) => {
        answer ??= parts.openAnswer(parts.publicUrl(server.server?.port));
        return answer(request, signal);
      },
      guard,
      streams,
      bodyBytesMax: config.body_bytes,
      bodyMs: config.body_seconds * SECOND_MS,
      messageCharactersMax: config.message_characters,
      heartbeatMs: config.heartbeat_seconds * SECOND_MS,
    },
  });
  listen(server, config);
  const url = addressOf(config, server.server?.port);

  const flush = () =>
    Promise.all([limits.flush(), parts.keys.flush()]).catch((error) =>
      log.error("counts could not be written", { error }),
    );
  const timer = setInterval(flush, FLUSH_MS);

  async function shutDown(): Promise<void> {
    stopping = true;
    const accepting = server.server?.stop(false);
    await streams.drain(config.shutdown_seconds * SECOND_MS);
    await server.server?.stop(true);
    await accepting;
    clearInterval(timer);
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

function linkTo(site: Site, { href }: { href: string }, publicUrl: string, readerQuery: string): string {
  if (site.url !== undefined) return `${site.url}${href}`;
  const [page = "", heading = ""] = href.split(/(?=#)/);
  return `${publicUrl}/sites/${site.domain}${page}${readerQuery}${heading}`;
}

function meters(config: Config): GuardDeps["meters"] {
  const meter = (name: string, windowMs: number, sliceMs: number, limit: number): Meter => ({
    name,
    windowMs,
    sliceMs,
    limit,
  });
  return {
    organization: meter("organization-hour", HOUR_MS, MINUTE_MS, config.organization_messages_per_hour),
    address: [
      meter("address-day", DAY_MS, 15 * MINUTE_MS, config.address_messages_per_day),
      meter("address-minute", MINUTE_MS, SECOND_MS, config.address_messages_per_minute),
    ],
  };
}

function proxies(config: Config) {
  const { matches, fault } = matchAddresses(config.trusted_proxies);
  if (fault === undefined) return matches;
  throw new AppError("invalid_request", `trusted_proxies: ${fault} is not an address or a network.`, {
    hint: "Write addresses and networks such as 10.0.0.7 or 10.0.0.0/8, with commas between them.",
  });
}

function ollamaSettings(config: Config): OllamaSettings {
  return {
    host: config.ollama_host,
    model: config.model,
    thinking: config.thinking === "on",
    contextTokens: config.context_tokens,
    answerTokens: config.answer_tokens,
    keepAliveSeconds: config.keep_alive_seconds,
    slots: config.model_slots,
    queueLength: config.queue_length,
    queueMs: config.queue_seconds * SECOND_MS,
    connectMs: config.connect_seconds * SECOND_MS,
    firstByteMs: config.first_byte_seconds * SECOND_MS,
    idleMs: config.idle_seconds * SECOND_MS,
  };
}

function normalizeBasePath(basePath: string): string {
  const trimmed = basePath.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}

/** Where readers reach the server. */
function publicUrlOf(config: Config, port: number): string {
  return config.public_url === "" ? addressOf(config, port) : config.public_url.replace(/\/+$/, "");
}

/** Where this machine reaches the server. */
export function addressOf({ host, port: configured, base_path }: Config, port = configured): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const address = reachable.includes(":") ? `[${reachable}]` : reachable;
  return `http://${address}:${port}${normalizeBasePath(base_path)}`;
}
