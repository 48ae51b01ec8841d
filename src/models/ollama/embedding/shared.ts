import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Embedder, EmbedderIdentity, EmbedPurpose } from "@docent/kernel/vectors/embedder";
import { createHealth, type Health } from "../pool/pool.ts";

/** How many texts a server is given at a time, so that a slow one delays the others little. */
const TEXTS_AT_ONCE = 32;

/** A server that embeds. */
interface Server {
  readonly url: string;
  readonly embedder: Embedder;
  readonly health: Health;
  /** What its vectors are made with; undefined until it is asked, and after it failed. */
  identity: string | undefined;
  running: number;
}

interface Shared {
  readonly servers: readonly Server[];
  /** What the vectors are made with: a server with another version of the model gets no texts. */
  identity: string | undefined;
  readonly log: Log;
}

interface SharedOptions {
  clock: Clock;
  random: () => number;
  log: Log;
}

/**
 * Makes one embedder of several servers that have the same model. They share the texts side by side, and the others
 * take what one fails to embed; that one rests for a while.
 */
export function createSharedEmbedder(
  embedders: readonly { url: string; embedder: Embedder }[],
  { clock, random, log }: SharedOptions,
): Embedder {
  const servers = embedders.map((each) => ({
    ...each,
    health: createHealth({ clock, random }),
    identity: undefined,
    running: 0,
  }));
  const shared: Shared = { servers, identity: undefined, log };
  return {
    isInstant: false,
    describe: (signal) => describe(shared, signal),
    embed: (texts, purpose, signal) => embed(shared, { texts, purpose, signal }),
  };
}

/** Describes the model by the first server that answers, those before all others that were asked with success before. */
async function describe(shared: Shared, signal: AbortSignal): Promise<EmbedderIdentity> {
  const isSame = (server: Server) => Number(server.identity === shared.identity);
  let failure: unknown;
  for (const server of awake(shared).toSorted((one, other) => isSame(other) - isSame(one))) {
    try {
      const described = await server.embedder.describe(signal);
      server.health.worked();
      server.identity = described.identity;
      shared.identity = described.identity;
      return described;
    } catch (error) {
      failed(shared, server, error, signal);
      failure = error;
    }
  }
  throw failure;
}

interface Work {
  texts: string[];
  purpose: EmbedPurpose;
  signal: AbortSignal;
}

/** Texts that are embedded together, and where their vectors belong. */
interface Part {
  at: number;
  texts: string[];
}

async function embed(shared: Shared, work: Work): Promise<(Float32Array | undefined)[]> {
  if (shared.identity === undefined) await describe(shared, work.signal);
  const vectors: (Float32Array | undefined)[] = work.texts.map(() => undefined);
  const parts: Part[] = [];
  for (let at = 0; at < work.texts.length; at += TEXTS_AT_ONCE)
    parts.push({ at, texts: work.texts.slice(at, at + TEXTS_AT_ONCE) });
  const tried = new Set<Server>();
  let failure: unknown;
  while (parts.length > 0) {
    const able = awake(shared)
      .filter((server) => !tried.has(server))
      .toSorted((one, other) => one.running - other.running)
      .slice(0, parts.length);
    if (able.length === 0) throw failure;
    // Each ends when nothing is left to embed, or when it fails.
    const ends = await Promise.allSettled(
      able.map((server) => embedParts(shared, server, { ...work, parts, vectors })),
    );
    for (const [index, end] of ends.entries()) {
      const server = able[index];
      if (end.status === "fulfilled" || server === undefined) continue;
      failed(shared, server, end.reason, work.signal);
      tried.add(server);
      failure = end.reason;
    }
  }
  return vectors;
}

/** Embeds one part after the other on one server. A part that fails is there again for the others. */
async function embedParts(
  shared: Shared,
  server: Server,
  { parts, vectors, purpose, signal }: Work & { parts: Part[]; vectors: (Float32Array | undefined)[] },
): Promise<void> {
  server.identity ??= (await server.embedder.describe(signal)).identity;
  if (server.identity !== shared.identity) throw otherVersion(server);
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    server.running += 1;
    try {
      const made = await server.embedder.embed(part.texts, purpose, signal);
      for (const [index, vector] of made.entries()) vectors[part.at + index] = vector;
      server.health.worked();
    } catch (error) {
      parts.push(part);
      throw error;
    } finally {
      server.running -= 1;
    }
  }
}

/** The servers that do not rest, or that have rested long enough; all of them where there is no such server. */
function awake({ servers }: Shared): readonly Server[] {
  const well = servers.filter(({ health }) => !health.isResting() || health.isDue());
  return well.length > 0 ? well : servers;
}

/** Lets a server rest that cannot embed now. Throws what is not its fault. */
function failed({ log }: Shared, server: Server, error: unknown, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
  server.identity = undefined;
  if (server.health.failed() !== undefined)
    log.warn("an Ollama server embeds nothing for a while", { server: server.url, ...reasonFields(error) });
}

const otherVersion = ({ url }: Server) =>
  new AppError("unavailable", "A server has another version of the embedding model.", {
    hint: `pull the same version of the model on all servers; ${url} has another one`,
  });
