import type { ModelInfo } from "../models/model-info.ts";
import type { OllamaServer } from "./server.ts";

/** What is known of one server, in words for the banner and `doctor`. */
export type ServerState =
  | { url: string; model: string; says: string }
  | { url: string; model: undefined; reason: string; hint: string };

/** What is known of the Ollama servers together: of the first that can answer, and of each. */
export type OllamaState = ServerState & { servers: ServerState[] };

/** Looks at each server. */
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
): Promise<ServerState> {
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
