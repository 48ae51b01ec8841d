import { look } from "../models/look.ts";
import { isSameModel, type ModelInfo } from "../models/model-info.ts";
import type { OllamaServer } from "./server.ts";

/** Which models sites may ask for in place of the server's own. */
export interface SiteModels {
  /** Whether that one may be asked for, once it is known. */
  isAllowed(model: Pick<ModelInfo, "name" | "remote">): boolean;
  /** Looks for it on each server that is well. Throws only the signal's reason. */
  refresh(wanted: string, signal: AbortSignal): Promise<void>;
  /** The model of that name as that server has it; undefined where it may not be asked for, or is not there. */
  on(server: OllamaServer, wanted: string): ModelInfo | undefined;
}

/**
 * Where the operator names none, every model that runs on the servers themselves: what another machine would run is
 * never a site's to choose.
 */
export function createSiteModels(servers: readonly OllamaServer[], allowed: readonly string[]): SiteModels {
  const isAllowed: SiteModels["isAllowed"] = ({ name, remote }) =>
    allowed.length === 0 ? !remote : allowed.some((each) => isSameModel(each, name));
  return {
    isAllowed,
    async refresh(wanted, signal) {
      if (wanted === "") return;
      const awake = servers.filter((server) => !server.isResting());
      await look(
        awake.map((server) => server.named(wanted)),
        signal,
      );
    },
    on(server, wanted) {
      const model = wanted === "" ? undefined : server.named(wanted).current();
      return model !== undefined && isAllowed(model) ? model : undefined;
    },
  };
}
