import { isSameModel, type ModelInfo } from "../models/model-info.ts";
import { look, untilAborted } from "../models/models.ts";
import type { Pool } from "./places.ts";
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

/** Which model answers a site's question, and where. */
interface ChosenModel {
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

/** A model that a site may choose. Where it runs is the operator's affair. */
interface OfferedModel {
  name: string;
  contextTokens: number;
  seesPictures: boolean;
  canThink: boolean;
}

/** What answers where a site chooses nothing, and what it may choose. */
export interface OfferedModels {
  own: string | undefined;
  models: OfferedModel[];
  /** All servers said what they have: what is not here is not there. */
  isWhole: boolean;
}

/** Asks every server what it has. One that does not answer has nothing to offer now. */
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
    return { own: models.current()?.name, listed: await models.list().catch(() => undefined) };
  });
  const told: Awaited<(typeof asking)[number]>[] = [];
  await untilAborted(
    Promise.all(asking).then((all) => void told.push(...all)),
    signal,
  );
  for (const { own: answering, listed } of told) {
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
