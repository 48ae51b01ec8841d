import type { Config } from "@docent/kernel/config/settings";
import { HOUR_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { createOrganizationTurns, type Sources } from "@docent/sites/ingest/ingest";
import type { Storage } from "@docent/storage/storage";
import type { Parts } from "../app/parts.ts";
import type { Runtime, Surroundings } from "../app/surroundings.ts";
import { makeBackups } from "./backups.ts";
import { settleCutOffRuns } from "./cut-off-runs.ts";
import { enrichSites } from "./enrichments.ts";
import { completeIndexes } from "./indexes.ts";
import { watchAndTell } from "./notices.ts";
import { unusedSchedule } from "./open-backups.ts";
import { repeat } from "./repeat.ts";
import { startSchedule } from "./schedule.ts";
import { keepSites } from "./sites.ts";
import { sourceWork } from "./source-work.ts";
import { createSteadily, type Steadily } from "./steadily.ts";
import { completeVectors } from "./vectors.ts";

/** How soon a model is loaded that was pulled or replaced. */
const MODEL_LOOK_MS = 30 * SECOND_MS;

/** Cleans up after a server that was killed, and tells the operator what needs attention. */
export async function tidyUp({ config, log }: Surroundings, parts: Parts): Promise<void> {
  const { answers, storage, sources } = parts;
  const failed = await answers.threads.failUnfinished();
  if (failed > 0) log.warn("answers were cut off when the server last stopped", { turns: failed });
  await storage.conversations.answerCache.trim(config.answer_cache_answers);
  await tidyUploads(sources, log);
  await warnOfOwnerless(sources, log);
  const unused = unusedSchedule({ config });
  if (unused) log.warn(unused.says, { hint: unused.hint });
  const { vectors, warnings } = await storage.describe();
  for (const { says, hint } of warnings) log.warn(says, { hint });
  if (vectors?.available === false)
    log.info("sqlite-vec cannot be loaded: search measures vectors without it, more slowly", {
      reason: vectors.reason,
    });
}

/** Starts everything that a server does unasked. */
export function startUpkeep(surroundings: Surroundings, parts: Parts, { publicUrl }: { publicUrl: string }) {
  const { config, clock, log, runSelf } = surroundings;
  const steadily = createSteadily({ clock, log });
  const all = [
    startSchedule({
      ...sourceWork(surroundings, parts),
      order: createOrganizationTurns(config.organizations_at_once),
      clock,
      log,
    }),
    completeIndexes(
      {
        list: parts.people.sites.list,
        stores: parts.storage.content,
        index: parts.content.index,
        takeOn: parts.storage.takeOn,
        completeApart:
          runSelf && ((domain, signal) => runSelf(["index", "complete", domain, "--keywords"], signal)),
      },
      createOrganizationTurns(config.organizations_at_once),
      log,
    ),
    completeVectors(
      {
        sites: parts.people.sites,
        vectors: parts.sources.vectors,
        calibrator: parts.content.calibrator,
        takeOn: parts.storage.takeOn,
        completeApart: runSelf && ((domain, signal) => runSelf(["index", "complete", domain], signal)),
      },
      createOrganizationTurns(config.organizations_at_once),
      log,
    ),
    settleCutOffRuns({ sources: parts.sources, log }),
    keepSites(parts, log, steadily),
    keepAudit(parts, config, log, steadily),
    makeBackups(parts, log),
    watchAndTell({ parts, directory: config.data, publicUrl, clock, log }),
    enrichSites({
      list: parts.people.sites.list,
      enrichments: parts.enrichments,
      takeOn: parts.storage.takeOn,
      log,
    }),
    startWarmth(surroundings, parts),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/** Keeps the models loaded, where the operator wants that. */
function startWarmth({ config }: Surroundings, { answers }: Parts) {
  const warmth = answers.ollama.createWarmth(MODEL_LOOK_MS);
  if (config.preload === "on") warmth.start();
  return warmth;
}

/** Deletes unfinished uploads, and those whose sources are gone. */
async function tidyUploads({ uploads, ofSites }: Sources, log: Log): Promise<void> {
  try {
    uploads.removeHalves();
    await uploads.sweep(async (siteId, sourceId) =>
      (await ofSites.list(siteId)).some(({ id }) => id === sourceId),
    );
  } catch (error) {
    log.warn("what is left of uploads could not be removed", reasonFields(error));
  }
}

/** Says which entries of settings count for nobody: those of organizations that are not there, or that name none. */
async function warnOfOwnerless({ permissions }: Sources, log: Log): Promise<void> {
  for (const { setting, entry } of await permissions.ownerless())
    log.warn("an entry of a setting belongs to no organization, and counts for nobody", {
      setting,
      entry,
      hint: "Write the organization's name or id before it, such as acme=/srv/acme.",
    });
}

/** Removes what the audit log keeps no longer. */
export function keepAudit(
  { people: { audit } }: Pick<Parts, "people">,
  { audit_days }: Pick<Config, "audit_days">,
  log: Log,
  steadily: Steadily,
  retryMs?: number,
) {
  return repeat({
    work: steadily(async (signal) => {
      const entries = await audit.removeOlder(audit_days, signal);
      if (entries > 0) log.info("what the audit log keeps no longer was removed", { entries });
    }),
    everyMs: HOUR_MS,
    retryMs,
    onFailure: (error) =>
      log.warn("what the audit log keeps no longer could not be removed", reasonFields(error)),
  });
}

const LOOK_MS = 3 * SECOND_MS;
/** Less is not worth a collection, which stops the process for some tens of milliseconds. */
const GROWN_BYTES = 24_000_000;
/** So many looks at which nobody waits are a rest in which compiled code is given back, too: ten minutes. */
const LOOKS_OF_LONG_REST = 200;

interface Resting extends Pick<Runtime, "residentBytes" | "collect">, Pick<Storage, "releaseMemory"> {
  /** Whether nobody waits for an answer. */
  isAtRest(): boolean;
}

/**
 * Gives memory back while nobody asks: on a machine with much of it, the runtime frees late, and a server that answered a
 * thousand questions in the morning would keep what they took.
 */
export function createRest({ isAtRest, residentBytes, releaseMemory, collect }: Resting) {
  // What the start took is given back as well, with the code that was compiled for it.
  let restedBytes = 0;
  let isOfStart = true;
  let looksAtRest = 0;
  let hasCode = true;
  const give = (code: boolean) => {
    releaseMemory();
    collect({ code });
    restedBytes = residentBytes();
  };
  return {
    /**
     * Collects where nobody asked since the last look and memory has grown since the last collection. Compiled code stays
     * until the rest is a long one: without it, each question takes twice as much until all is compiled anew.
     */
    look(): void {
      looksAtRest = isAtRest() ? looksAtRest + 1 : 0;
      hasCode ||= looksAtRest === 0;
      if (looksAtRest < 2) return;
      const isLong = hasCode && looksAtRest >= LOOKS_OF_LONG_REST;
      // What a collection freed goes back little by little.
      restedBytes = Math.min(restedBytes, residentBytes());
      if (!isLong && residentBytes() < restedBytes + GROWN_BYTES) return;
      give(isOfStart || isLong);
      if (isLong) hasCode = false;
      isOfStart = false;
    },
  };
}

/** Looks every few seconds, where the process is this server's own. Returns what ends it. */
export function startRest(
  runtime: Runtime | undefined,
  { releaseMemory }: Pick<Storage, "releaseMemory">,
  isAtRest: () => boolean,
): { close(): void } {
  if (runtime === undefined) return { close() {} };
  const looking = setInterval(createRest({ ...runtime, releaseMemory, isAtRest }).look, LOOK_MS);
  return { close: () => clearInterval(looking) };
}
