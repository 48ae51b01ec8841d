import { HOUR_MS, SECOND_MS } from "../../lib/clock.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { Site } from "../../sites/sites.ts";
import type { Parts } from "../parts.ts";

const GAPS_MS = 30 * SECOND_MS;
/** The promise is a day. Working every hour keeps nothing much longer than that. */
const RETENTION_MS = HOUR_MS;

/** Does the regular work on every site: deletes what it no longer keeps, and sorts questions into gaps. */
export function keepSites({ people, reports }: Pick<Parts, "people" | "reports">, log: Log) {
  const { list } = people.sites;
  const { gaps, retention } = reports;

  async function removeOlder({ id, domain, settings }: Site, signal: AbortSignal): Promise<void> {
    const { turns } = await retention.removeOlder(id, settings.retentionDays, signal);
    if (turns > 0) log.info("what a site keeps no longer was deleted", { site: domain, turns });
  }

  const all = [
    repeat({
      list,
      work: removeOlder,
      everyMs: RETENTION_MS,
      onFailure: (error) => log.warn("what a site keeps no longer could not be deleted", reasonFields(error)),
    }),
    repeat({
      list,
      work: gaps.catchUp,
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

interface Repeated {
  list(): Promise<Site[]>;
  work(site: Site, signal: AbortSignal): Promise<unknown>;
  everyMs: number;
  onFailure(error: unknown): void;
}

/** Works on every site now, and then again and again, one after the other. */
function repeat({ list, work, everyMs, onFailure }: Repeated) {
  const stop = new AbortController();
  const { signal } = stop;
  let working: Promise<void> | undefined;

  async function workOnAll(): Promise<void> {
    for (const site of await list()) {
      signal.throwIfAborted();
      await work(site, signal);
    }
  }

  const look = () => {
    working ??= workOnAll()
      .catch((error) => {
        if (!signal.aborted) onFailure(error);
      })
      .finally(() => {
        working = undefined;
      });
  };
  const timer = setInterval(look, everyMs);
  look();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
