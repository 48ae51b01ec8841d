import { HOUR_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Site } from "@docent/sites/site/sites";
import type { Parts } from "../app/parts.ts";
import { alone } from "./alone.ts";
import { repeat } from "./repeat.ts";
import type { Steadily } from "./steadily.ts";

const GAPS_MS = 30 * SECOND_MS;
/** The promise is a day. Working every hour keeps nothing much longer than that. */
const RETENTION_MS = HOUR_MS;

/** Does the regular work on every site: deletes what it no longer keeps, and sorts questions into gaps. */
export function keepSites(
  { people, reports, storage: { takeOn } }: Pick<Parts, "people" | "reports" | "storage">,
  log: Log,
  steadily: Steadily,
  retryMs?: number,
) {
  const { list } = people.sites;
  const { gaps, retention } = reports;

  async function removeOlder({ id, domain, settings }: Site, signal: AbortSignal): Promise<void> {
    const { turns } = await retention.removeOlder(id, settings.retentionDays, signal);
    if (turns > 0) log.info("what a site keeps no longer was deleted", { site: domain, turns });
  }

  const all = [
    repeat({
      work: steadily(onAll(list, removeOlder)),
      everyMs: RETENTION_MS,
      retryMs,
      onFailure: (error) => log.warn("what a site keeps no longer could not be deleted", reasonFields(error)),
    }),
    repeat({
      work: alone(takeOn, "gaps", onAll(list, gaps.catchUp)),
      everyMs: GAPS_MS,
      onFailure: (error) => log.warn("questions could not be put into gaps", reasonFields(error)),
    }),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/** The same work on every site, one after the other. */
const onAll =
  (list: () => Promise<Site[]>, work: (site: Site, signal: AbortSignal) => Promise<unknown>) =>
  async (signal: AbortSignal): Promise<void> => {
    for (const site of await list()) {
      signal.throwIfAborted();
      await work(site, signal);
    }
  };
