import { untilAborted } from "../models/models.ts";
import type { OllamaServer } from "./server.ts";
import type { SiteModels } from "./site-models.ts";

/** A model that a site may choose. Where it runs is the operator's affair. */
export interface OfferedModel {
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
