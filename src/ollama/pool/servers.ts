import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { createOllamaClient } from "../client/client.ts";
import type { ModelSettings } from "../models/chat-options.ts";
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
  clock: Clock;
  random: () => number;
  log: Log;
}

/** A server for each base URL. Those that choose their model themselves choose the same one, where they have it. */
export function createServers(baseUrls: readonly string[], options: ServersOptions): OllamaServer[] {
  const { settings, onChange, clock, random, log } = options;
  const { model, contextTokens, slots, connectMs, firstByteMs, idleMs } = settings;
  const servers: OllamaServer[] = [];
  let chosen: string | undefined;
  /** What those before it have chosen; what they last chose, where they are away. */
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
      connectTimeoutMs: connectMs,
      firstByteTimeoutMs: firstByteMs,
      idleTimeoutMs: idleMs,
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
