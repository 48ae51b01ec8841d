import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { ModelSettings } from "../models/chat-options.ts";
import type { OllamaServer } from "./server.ts";
import { createWarmth, type Warmth } from "./warming.ts";

interface ServersWarmthOptions {
  settings: ModelSettings;
  everyMs: number;
  clock: Clock;
  log: Log;
}

/** Keeps the model of each server loaded, one apart from the other. */
export function createServersWarmth(
  servers: readonly Pick<OllamaServer, "baseUrl" | "client" | "models" | "isResting" | "running">[],
  { log, ...rest }: ServersWarmthOptions,
): Warmth {
  const each = servers.map((server) =>
    createWarmth({
      ...rest,
      // One that rests is tried, and its model loaded, by whoever lets it rest.
      refresh: async (signal) => (server.isResting() ? undefined : server.models.refresh(signal)),
      preload: (body, signal) => server.client.preload(body, signal),
      isBusy: () => server.running() > 0,
      log: log.with({ server: server.baseUrl }),
    }),
  );
  return {
    start: () => {
      for (const warmth of each) warmth.start();
    },
    async close() {
      await Promise.all(each.map((warmth) => warmth.close()));
    },
  };
}
