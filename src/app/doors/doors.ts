import {
  createHostMatcher,
  createSiteReaders,
  type GuardDeps,
  type HostMatcher,
  openGuard,
} from "../../http/guard/guard.ts";
import { createServer, type Readiness } from "../../http/server.ts";
import { createStreams, type OpenStreams } from "../../http/stream/streams.ts";
import { SECOND_MS } from "../../lib/clock.ts";
import { createSiteDirectory } from "../../sites/directory.ts";
import { createAssets } from "../../web/assets.ts";
import { readBundled } from "../../web/bundled.ts";
import { addressOf, normalizeBasePath, publicUrlOf } from "../addresses.ts";
import { type OpenedMetrics, openMetrics } from "../metrics/metrics.ts";
import type { Parts } from "../parts.ts";
import { noteServedAddress } from "../served-address.ts";
import type { Surroundings } from "../surroundings.ts";
import { openAdmin } from "./admin.ts";
import { answerLater } from "./answer-later.ts";
import { openChat } from "./chat.ts";
import { allWritten } from "./flush.ts";
import { type Listening, listen } from "./listen.ts";
import { openMcpDoor } from "./mcp.ts";
import { openReaderSite } from "./reader-site.ts";
import { openReaderDoor, type ReaderDoor } from "./readers.ts";
import { openSession } from "./session.ts";
import { openSignInParts, type SignInParts } from "./vouchers.ts";

/** The parts behind the API, wired together. Its routes are in `http/server.ts`. */
export interface Doors {
  server: Pick<ReturnType<typeof createServer>, "routes">;
  /** Starts to take requests. Raises `conflict` when another program has the port. */
  listen(): void;
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
  streams: OpenStreams;
  metrics: OpenedMetrics | undefined;
  basePath: string;
  isNamedHost: HostMatcher;
  /** Known once the server listens. */
  publicUrl(): string;
  metricsUrl(): string | undefined;
}

/** What changes while the server runs. */
interface State {
  listening: Listening | undefined;
  address: { forget(): void } | undefined;
  isStopping: boolean;
}

export async function openDoors(surroundings: Surroundings, parts: Parts): Promise<Doors> {
  const { config, clock, log } = surroundings;
  const { people, content, answers, reports, ids } = parts;
  const state: State = { listening: undefined, address: undefined, isStopping: false };
  const signInParts = await openSignInParts(surroundings, parts);
  const shared = openShared(surroundings, parts, state, signInParts.vouchers);
  const { guard, streams, metrics, basePath, publicUrl } = shared;
  const { session, signIn } = openSession(shared, signInParts);
  const admin = openAdmin(shared, session.door);
  const server = createServer({
    settings: config,
    admin: admin.options,
    session,
    signIn,
    analytics: reports.analytics,
    gaps: reports.gaps,
    handOver: people.handOver,
    basePath,
    ids,
    clock,
    metrics: metrics?.replies,
    log,
    readiness: () => readinessOf(state, parts),
    assets: createAssets(readBundled),
    reader: openReaderSite(shared, session.door),
    mcp: openMcpDoor(shared, signInParts),
    search: content.search,
    ...openQuestions(shared),
  });
  return {
    server,
    listen() {
      state.listening = listen(server, metrics?.listener(log), config);
      state.address = noteServedAddress(config.data, publicUrl());
    },
    isAtRest: () => (server.server?.pendingRequests ?? 0) === 0,
    url: () => addressOf(config, state.listening?.port()),
    publicUrl,
    metricsUrl: shared.metricsUrl,
    async close() {
      state.isStopping = true;
      state.address?.forget();
      const ended = admin.close();
      const accepting = server.server?.stop(false);
      await streams.drain(config.shutdown_seconds * SECOND_MS);
      await server.server?.stop(true);
      await state.listening?.metrics?.close();
      await accepting;
      await ended;
    },
    async flush({ isEnding } = { isEnding: false }) {
      const counting = [guard.limits, session.door.sessions, ...countersOf(people)];
      await allWritten(log, [
        ...counting.map((each) => each.flush()),
        reports.analytics.searchLog.flush({ isEnding }),
        answers.threads.flush(),
      ]);
    },
  };
}

const countersOf = ({ keys, adminKeys, siteSecrets, readerSessions }: Parts["people"]) => [
  keys,
  adminKeys,
  siteSecrets,
  readerSessions,
];

async function readinessOf({ isStopping }: State, { storage }: Parts): Promise<Readiness> {
  if (isStopping) return "stopping";
  return (await storage.answers()) ? "ok" : "disconnected";
}

/** What the doors need by which questions come, those of chats too. */
const openQuestions = (shared: Shared) => ({
  messages: {
    settings: shared.config,
    answer: openAnswering(shared),
    guard: shared.guard,
    streams: shared.streams,
  },
  chat: openChat(shared, shared.parts),
});

/** Answers, from when the first question comes on. */
const openAnswering = ({ parts, publicUrl, metrics }: Shared) =>
  answerLater(() => parts.answers.open(publicUrl(), {}, metrics?.observeTurn));

function openShared(
  surroundings: Surroundings,
  parts: Parts,
  state: State,
  vouchers: SignInParts["vouchers"],
): Shared {
  const { config, clock, log } = surroundings;
  const { people, storage } = parts;
  const streams = createStreams();
  const basePath = normalizeBasePath(config.base_path);
  const publicUrl = () => publicUrlOf(config, state.listening?.port());
  const readers = openReaderDoor({ vouchers, sessions: people.readerSessions, basePath, publicUrl });
  return {
    ...surroundings,
    parts,
    guard: openGuard({
      settings: config,
      keys: people.keys,
      directory: createSiteDirectory(storage.people.sites),
      store: storage.people.limits,
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
    streams,
    metrics: openMetrics(config, {
      ledger: parts.sources.ledger,
      load: parts.answers.ollama.load,
      openStreams: streams.count,
      storage,
      damages: parts.content.index.damages,
      clock,
    }),
    basePath,
    isNamedHost: createHostMatcher(config),
    publicUrl,
    metricsUrl: () => state.listening?.metrics?.url,
  };
}
