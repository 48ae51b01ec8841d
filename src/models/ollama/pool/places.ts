import { hostname } from "node:os";
import type { Asker } from "@docent/answering/answer/responder";
import { AppError } from "@docent/kernel/errors";
import { isOfThisMachine } from "../address.ts";
import { type ModelInfo, refreshAll } from "../models/models.ts";
import type { SharedPlaces } from "../queue/queue.ts";
import type { OllamaServer } from "./server.ts";

/** The servers that share the questions, as the places of the one queue. */
export interface ServerPlaces extends SharedPlaces<OllamaServer> {
  readonly servers: readonly OllamaServer[];
  /** The model that would most likely answer a question now. */
  model(): ModelInfo | undefined;
  /** Looks again at servers whose last look is old. Throws `unavailable` where none of them can answer. */
  refresh(signal: AbortSignal): Promise<void>;
  /** How many servers besides these a question could move to. */
  others(tried: ReadonlySet<OllamaServer>): number;
}

const NONE: ReadonlySet<OllamaServer> = new Set();

/** Shares questions among servers: the least busy of those with the model in memory, then of the others. */
export function createServerPlaces(servers: readonly OllamaServer[]): ServerPlaces {
  const awake = () => servers.filter((server) => !server.isResting());

  /**
   * The servers that can answer. A resting one is used only where there is no other: a bad chance is better
   * than none.
   */
  const candidates = (avoid: ReadonlySet<OllamaServer>): OllamaServer[] => {
    const usable = servers.filter((server) => server.isUsable() && !avoid.has(server));
    const well = usable.filter((server) => !server.isResting());
    return well.length > 0 ? well : usable;
  };
  const best = (avoid: ReadonlySet<OllamaServer>, asker: Asker | undefined): OllamaServer | undefined =>
    candidates(avoid)
      .filter((server) => server.isFree())
      .sort(
        (one, other) =>
          Number(other.isLoaded()) - Number(one.isLoaded()) ||
          one.running() - other.running() ||
          (asker === undefined ? 0 : Number(other.knows(asker)) - Number(one.knows(asker))),
      )[0];
  const probeThoseDue = () => {
    for (const server of servers) server.probeIfDue();
  };
  const problem = (avoid: ReadonlySet<OllamaServer>) =>
    candidates(avoid).length > 0 ? undefined : noModel(servers);

  return {
    servers,
    count: () => servers.reduce((sum, server) => sum + server.slots, 0),
    isFree: (avoid) => best(avoid, undefined) !== undefined,
    take(avoid, asker) {
      const server = best(avoid, asker);
      server?.take();
      return server;
    },
    choices: (avoid, asker) => choicesOf(candidates(avoid), asker),
    takeThis: (server) => server.take(),
    give(server) {
      server.give();
      probeThoseDue();
    },
    problem,
    model: () => (best(NONE, undefined) ?? candidates(NONE)[0])?.models.current(),
    others: (tried) => candidates(tried).filter((server) => !server.isResting()).length,
    async refresh(signal) {
      signal.throwIfAborted();
      probeThoseDue();
      await refreshAll(modelsOf(awake()), signal);
      if (candidates(NONE).every((server) => server.isResting())) await refreshAll(modelsOf(servers), signal);
      const error = problem(NONE);
      if (error !== undefined) throw error;
    },
  };
}

const choicesOf = (servers: OllamaServer[], asker: Asker) =>
  servers
    .sort((one, other) => Number(other.knows(asker)) - Number(one.knows(asker)))
    .map((server) => ({
      place: server,
      choice: { address: sharedAddress(server), rank: server.isLoaded() ? 0 : 1, slots: server.slots },
    }));

/** What 127.0.0.1 is differs from machine to machine. */
const sharedAddress = ({ baseUrl }: OllamaServer) =>
  isOfThisMachine(baseUrl) ? `${hostname()} ${baseUrl}` : baseUrl;

const modelsOf = (servers: readonly OllamaServer[]) => servers.map(({ models }) => models);

function noModel(servers: readonly OllamaServer[]): AppError {
  const problems = servers.flatMap(({ models }) => models.problem() ?? []);
  const [first] = problems;
  return new AppError("unavailable", "No model can answer now. Try again later.", {
    cause: problems.map(({ message }) => message).join(" ") || undefined,
    ...(first === undefined ? {} : { hint: first.hint }),
    retryAfterSeconds: 30,
  });
}
