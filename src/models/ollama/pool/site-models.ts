import { isSameModel, type ModelInfo, refreshAll, untilAborted } from "../models/models.ts";
import type { OllamaServer } from "./server.ts";

/** The models that sites may use in place of the server's own. */
export interface SiteModels {
  /** Whether sites may use this model. */
  isAllowed(model: Pick<ModelInfo, "name" | "remote">): boolean;
  /** Looks for it on each healthy server. Throws only the signal's reason. */
  refresh(wanted: string, signal: AbortSignal): Promise<void>;
  /** The model of that name, as far as is known; each server's own where none has it or none is wanted. */
  choose(wanted: string): ChosenModel;
}

/** The model and the servers for a site's question. */
interface ChosenModel {
  /** The site's model, where a server has it; undefined where the server's own answers. */
  expected: ModelInfo | undefined;
  /** The servers that do not have it. */
  without: readonly OllamaServer[];
  modelOf(server: OllamaServer, signal: AbortSignal): Promise<ModelInfo | undefined>;
}

/**
 * Follows the models that sites ask for. Where the operator names none, sites may use every model that runs
 * on the servers themselves, but never one that runs on another machine.
 */
export function createSiteModels(servers: readonly OllamaServer[], allowed: readonly string[]): SiteModels {
  const isAllowed: SiteModels["isAllowed"] = ({ name, remote }) =>
    allowed.length === 0 ? !remote : allowed.some((each) => isSameModel(each, name));
  const modelOn = (server: OllamaServer, wanted: string) => {
    const model = wanted === "" ? undefined : server.named(wanted).current();
    return model !== undefined && isAllowed(model) ? model : undefined;
  };
  return {
    isAllowed,
    async refresh(wanted, signal) {
      if (wanted === "") return;
      const awake = servers.filter((server) => !server.isResting());
      await refreshAll(
        awake.map((server) => server.named(wanted)),
        signal,
      );
    },
    choose(wanted) {
      const having = servers.filter((server) => server.isUsable() && modelOn(server, wanted) !== undefined);
      const [first] = having.toSorted((one, other) => Number(one.isResting()) - Number(other.isResting()));
      if (first === undefined) {
        const modelOf: ChosenModel["modelOf"] = (server, signal) => server.models.refresh(signal);
        return { expected: undefined, without: [], modelOf };
      }
      return {
        expected: modelOn(first, wanted),
        without: servers.filter((server) => !having.includes(server)),
        async modelOf(server, signal) {
          await server.named(wanted).refresh(signal);
          return modelOn(server, wanted);
        },
      };
    },
  };
}

/** A model that a site may choose. Where it runs concerns only the operator. */
interface OfferedModel {
  name: string;
  contextTokens: number;
  seesPictures: boolean;
  canThink: boolean;
}

/** The model that answers where a site chooses none, and those it may choose. */
export interface OfferedModels {
  own: string | undefined;
  models: OfferedModel[];
  /** Whether all servers answered, so that the list is complete. */
  isWhole: boolean;
}

/** Lists the models of every server. One that does not answer offers none now. */
export async function listModels(
  servers: readonly OllamaServer[],
  { isAllowed }: SiteModels,
  signal: AbortSignal,
): Promise<OfferedModels> {
  const offered = new Map<string, OfferedModel>();
  let own: string | undefined;
  let isWhole = true;
  const asking = servers.map(async ({ models }) => {
    await models.refresh();
    return { answering: models.current()?.name, listed: await models.list().catch(() => undefined) };
  });
  for (const { answering, listed } of await untilAborted(Promise.all(asking), signal)) {
    own ??= answering;
    isWhole &&= listed !== undefined;
    for (const info of listed ?? []) {
      const { name, contextTokens, vision: seesPictures, thinking: canThink } = info;
      if (isAllowed(info)) offered.set(name, { name, contextTokens, seesPictures, canThink });
    }
  }
  const models = [...offered.values()].sort((one, other) => one.name.localeCompare(other.name));
  return { own, models, isWhole };
}
