import type { ModelInfo } from "../models/model-info.ts";
import type { Pool } from "./places.ts";
import type { OllamaServer } from "./server.ts";
import type { SiteModels } from "./site-models.ts";

/** Which model answers a site's question, and where. */
export interface ChosenModel {
  /** The site's, where a server has it; undefined where the server's own answers. */
  expected: ModelInfo | undefined;
  /** The servers that do not have it. */
  without: readonly OllamaServer[];
  modelOf(server: OllamaServer, signal: AbortSignal): Promise<ModelInfo | undefined>;
}

/** The model that a site asks for, as far as is known; each server's own where none has it, or none was asked for. */
export function chooseModel(
  { pool, siteModels }: { pool: Pick<Pool, "servers">; siteModels: SiteModels },
  wanted: string,
): ChosenModel {
  const { servers } = pool;
  const having = servers.filter((server) => server.isUsable() && siteModels.on(server, wanted) !== undefined);
  const [first] = having.toSorted((one, other) => Number(one.isResting()) - Number(other.isResting()));
  if (first === undefined)
    return {
      expected: undefined,
      without: [],
      modelOf: (server, signal) => server.models.refresh(signal),
    };
  return {
    expected: siteModels.on(first, wanted),
    without: servers.filter((server) => !having.includes(server)),
    async modelOf(server, signal) {
      await server.named(wanted).refresh(signal);
      return siteModels.on(server, wanted);
    },
  };
}
