import { readFileSync } from "node:fs";
import type { ChatOptions } from "@docent/doors/chat/chat";
import { readChatSecrets } from "@docent/doors/chat/secrets";
import {
  createHostMatcher,
  createSiteReaders,
  type GuardDeps,
  type HostMatcher,
  openGuard,
} from "@docent/doors/guard/guard";
import type { Readiness } from "@docent/doors/probes";
import { createStreams, type OpenStreams } from "@docent/doors/streaming/streams";
import { HOUR_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, limitWarnings, logFailure } from "@docent/kernel/lib/log";
import { createOrganizationTurns, createRunJobs, type RunJobs } from "@docent/sites/ingest/ingest";
import { createSiteDirectory } from "@docent/sites/site/directory";
import { addressOf, normalizeBasePath, publicUrlOf } from "../app/addresses.ts";
import { type OpenedMetrics, openMetrics } from "../app/metrics/metrics.ts";
import type { Parts } from "../app/parts.ts";
import { openSeal } from "../app/seal.ts";
import { noteServedAddress } from "../app/served-address.ts";
import type { Surroundings } from "../app/surroundings.ts";
import { openAnswerHosts } from "../delivery/delivery.ts";
import { requestedRuns } from "../upkeep/requested-runs.ts";
import { type Listening, listen } from "./listen.ts";
import { openReaderDoor, type ReaderDoor } from "./readers.ts";
import type { Routes } from "./routes.ts";
import { openSignInParts, type SignInParts } from "./vouchers.ts";

/** The parts behind the API, wired together. Its routes are in `doors/server.ts`. */
export interface Doors {
  /** Opens all routes, which the first request does that asks for more than the server's health. */
  open(): Promise<Routes>;
  /** Starts to take requests. Raises `conflict` when another program has the port. */
  listen(): Promise<void>;
  /** Whether nobody waits for an answer. */
  isAtRest(): boolean;
  /** The address on which it listens, with the base path. */
  url(): string;
  /** The address under which it is reached from outside. */
  publicUrl(): string;
  /** The address of its metrics, if they have their own. */
  metricsUrl(): string | undefined;
  /** Takes no more questions, and lets running answers finish for a bounded time. */
  close(): Promise<void>;
  /** Writes what was counted since the last time. */
  flush(how?: { isEnding: boolean }): Promise<void>;
}

export interface Shared extends Surroundings {
  parts: Parts;
  guard: GuardDeps;
  readers: ReaderDoor;
  signInParts: SignInParts;
  chat: OpenedChat;
  runJobs: RunJobs;
  streams: OpenStreams;
  metrics: OpenedMetrics | undefined;
  startedAt: number;
  basePath: string;
  isNamedHost: HostMatcher;
  /** Known once the server listens. */
  publicUrl(): string;
  metricsUrl(): string | undefined;
  readiness(): Promise<Readiness>;
}

/** What changes while the server runs. */
interface State {
  routes: Promise<Routes> | undefined;
  listening: Listening | undefined;
  address: { forget(): void } | undefined;
  isStopping: boolean;
}

/** Opens what a server cannot start without; raises `invalid_request` where a setting of the doors is wrong. */
export async function openDoors(surroundings: Surroundings, parts: Parts): Promise<Doors> {
  const { config, clock, log } = surroundings;
  const { people, answers, reports } = parts;
  const state: State = { routes: undefined, listening: undefined, address: undefined, isStopping: false };
  const shared = openShared(surroundings, parts, state, await openSignInParts(surroundings, parts));
  const { guard, streams, publicUrl } = shared;
  // Where the disk is full, each second's counts wait for room.
  const countsLog = limitWarnings(log, { everyMs: HOUR_MS, clock });
  const open = () => {
    state.routes ??= openRoutes(shared);
    return state.routes;
  };
  return {
    open,
    async listen() {
      state.listening = await listen(shared, open);
      state.address = noteServedAddress(config.data, publicUrl());
    },
    isAtRest: () => (state.listening?.server.pendingRequests ?? 0) === 0,
    url: () => addressOf(config, state.listening?.server.port),
    publicUrl,
    metricsUrl: shared.metricsUrl,
    async close() {
      state.isStopping = true;
      state.address?.forget();
      const ended = shared.runJobs.close();
      const accepting = state.listening?.server.stop(false);
      await streams.drain(config.shutdown_seconds * SECOND_MS);
      await state.listening?.server.stop(true);
      await state.listening?.metrics?.close();
      shared.metrics?.close();
      await accepting;
      await ended;
    },
    async flush({ isEnding } = { isEnding: false }) {
      // Where they could not be opened, nothing was counted at them.
      const routes = await state.routes?.catch(() => undefined);
      const counting = [guard.limits, ...(routes?.counters ?? []), ...countersOf(people)];
      await allWritten(isEnding ? log : countsLog, [
        ...counting.map((each) => each.flush()),
        reports.analytics.searchLog.flush({ isEnding }),
        answers.threads.flush({ isEnding }),
      ]);
    },
  };
}

/** Loaded only here, for a server that is only watched to be small. What comes now comes again. */
async function openRoutes(shared: Shared): Promise<Routes> {
  shared.runtime?.compileWhatRunsOften();
  const routes = await import("./routes.ts");
  return routes.openRoutes(shared);
}

const countersOf = ({ keys, adminKeys, siteSecrets, readerSessions }: Parts["people"]) => [
  keys,
  adminKeys,
  siteSecrets,
  readerSessions,
];

async function readinessOf({ isStopping }: State, { storage, answers }: Parts): Promise<Readiness> {
  if (isStopping) return "stopping";
  if (!(await storage.answers())) return "disconnected";
  return answers.threads.unstored() === undefined ? "ok" : "unstored";
}

function openShared(
  surroundings: Surroundings,
  parts: Parts,
  state: State,
  signInParts: SignInParts,
): Shared {
  const { config, clock, log } = surroundings;
  const { people, storage } = parts;
  const streams = createStreams();
  const basePath = normalizeBasePath(config.base_path);
  const publicUrl = () => publicUrlOf(config, state.listening?.server.port);
  const { vouchers } = signInParts;
  const readers = openReaderDoor({ vouchers, sessions: people.readerSessions, basePath, publicUrl });
  return {
    ...surroundings,
    parts,
    guard: openGuard({
      settings: config,
      keys: people.keys,
      directory: createSiteDirectory(storage.people.sites),
      store: storage.people.limits,
      places: storage.people.places,
      readerPasses: people.readerPasses,
      readers: createSiteReaders({
        tokens: people.readerTokens,
        sessions: people.readerSessions,
        passes: people.readerPasses,
        sources: readers.sources,
      }),
      clock,
      log,
    }),
    readers,
    signInParts,
    chat: openChat(surroundings, parts),
    runJobs: openRunJobs(surroundings, parts),
    streams,
    startedAt: clock(),
    metrics: openMetrics(config, {
      ledger: parts.sources.ledger,
      load: parts.answers.ollama.load,
      openStreams: streams.count,
      storage,
      damages: parts.content.index.damages,
      unstoredAnswers: parts.answers.threads.unstoredTotal,
      clock,
    }),
    basePath,
    isNamedHost: createHostMatcher(config),
    publicUrl,
    metricsUrl: () => state.listening?.metrics?.url,
    readiness: () => readinessOf(state, parts),
  };
}

type OpenedChat = Omit<ChatOptions, "log">;

/** What the doors of chats need. Raises `invalid_request` where a chat's secret is not there. */
function openChat(surroundings: Surroundings, { people, storage }: Parts): OpenedChat {
  const { config, environment } = surroundings;
  return {
    secrets: readChatSecrets(config, { environment, readFile: (path) => readFileSync(path, "utf8") }),
    once: storage.people.once,
    hosts: openAnswerHosts(config, openSeal(surroundings)),
    nameSecret: people.chatSecret,
  };
}

/** Waits for all writes, whichever fail: at the end, what they are written to is closed after them. Each failure is logged. */
export async function allWritten(log: Log, writes: readonly Promise<unknown>[]): Promise<void> {
  for (const write of await Promise.allSettled(writes))
    if (write.status === "rejected") logFailure(log, "counts could not be written", write.reason);
}

/** The runs that are asked for, at this server and at those that share its database. */
const openRunJobs = (surroundings: Surroundings, parts: Parts): RunJobs =>
  createRunJobs({
    ...surroundings,
    work: requestedRuns(surroundings, parts),
    store: parts.storage.content.runJobs,
    isHere: parts.sources.ofSites.isHere,
    ids: parts.ids,
    order: createOrganizationTurns(surroundings.config.organizations_at_once),
  });
