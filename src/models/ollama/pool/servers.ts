import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { ModelSettings } from "../chat-options.ts";
import { createOllamaClient } from "../client/client.ts";
import type { ModelInfo } from "../models/models.ts";
import { createOllamaServer, type OllamaServer } from "./server.ts";

interface ServersOptions {
  settings: ModelSettings & {
    model: string;
    contextTokens: number;
    slots: number;
    connectMs: number;
    firstByteMs: number;
    idleMs: number;
  };
  onChange: () => void;
  seal: Seal;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** A server for each base URL. Those set to `auto` choose the same model, where they have it. */
export function createServers(baseUrls: readonly string[], options: ServersOptions): OllamaServer[] {
  const { settings, onChange, seal, clock, random, log } = options;
  const { model, contextTokens, slots, connectMs, firstByteMs, idleMs } = settings;
  const servers: OllamaServer[] = [];
  let chosen: string | undefined;
  /** The choices of the servers before this one; their last choices where they are away. */
  const chosenBefore = async (index: number) => {
    for (const { models } of servers.slice(0, index)) {
      if (models.current() === undefined && models.problem() === undefined) await models.refresh();
      const current = models.current();
      if (current !== undefined) {
        chosen = current.name;
        break;
      }
    }
    return chosen;
  };
  for (const [index, baseUrl] of baseUrls.entries()) {
    const client = createOllamaClient({
      baseUrl,
      seal,
      connectMs: connectMs,
      firstByteMs: firstByteMs,
      idleMs: idleMs,
      clock,
      random,
    });
    servers.push(
      createOllamaServer({
        client,
        model,
        contextTokens,
        slots,
        settings,
        isOneOfSeveral: baseUrls.length > 1,
        prefer: () => chosenBefore(index),
        onChange,
        probeMs: firstByteMs,
        clock,
        random,
        log,
      }),
    );
  }
  return servers;
}

/** What is known of one server, for the banner and `doctor`. */
type ServerDescription =
  | { url: string; model: string; says: string }
  | { url: string; model: undefined; reason: string; hint: string };

/** What is known of all Ollama servers: of the first that can answer, and of each. */
export type OllamaState = ServerDescription & { servers: ServerDescription[] };

/** Describes each server, as it is now. */
export async function describeServers(
  servers: readonly OllamaServer[],
  signal?: AbortSignal,
): Promise<OllamaState> {
  const states = await Promise.all(servers.map((server) => describeServer(server, signal)));
  const best = states.find(({ model }) => model !== undefined) ?? states[0];
  if (best === undefined)
    throw new Error("there is always a server, of which it is known where it should be");
  return { ...best, servers: states };
}

async function describeServer(
  { baseUrl: url, models }: OllamaServer,
  signal?: AbortSignal,
): Promise<ServerDescription> {
  const found = await models.refresh(signal);
  if (found !== undefined) return { url, model: found.name, says: `${abilitiesOf(found)}, at ${url}` };
  const { message = "Ollama was not asked", hint = "docent doctor" } = models.problem() ?? {};
  return { url, model: undefined, reason: message, hint };
}

function abilitiesOf({ contextBecause, vision, thinking, remote }: ModelInfo): string {
  return [
    contextBecause,
    vision ? "sees pictures" : "",
    thinking ? "can think" : "",
    remote ? "RUNS ON ANOTHER MACHINE" : "",
  ]
    .filter(Boolean)
    .join(", ");
}
