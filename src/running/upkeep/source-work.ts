import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { RunJob } from "@docent/sites/ingest/ingest";
import type { Parts } from "../app/parts.ts";
import type { Surroundings } from "../app/surroundings.ts";
import type { DueRun } from "./schedule.ts";

/** What runs are done with. */
export interface RunSurroundings extends Pick<Surroundings, "runSelf"> {
  config: Pick<Config, "run_seconds">;
}

type ScheduledRun = Pick<
  RunJob,
  "domain" | "sourceId" | "force" | "preview" | "checksAddresses" | "acceptsWorse"
>;

/** The work of the schedule: in a process of its own where the surroundings can start one. */
export function sourceWork(
  { runSelf, config }: RunSurroundings,
  { people, sources }: Pick<Parts, "people" | "sources">,
) {
  const { sites } = people;
  const { ofSites } = sources;

  async function runOne({ domain, sourceId, ...how }: ScheduledRun, signal: AbortSignal): Promise<void> {
    const { force = false, preview = false, checksAddresses = false, acceptsWorse = false } = how;
    const site = await sites.get(domain);
    const flags = Object.entries({
      force,
      preview,
      "check-addresses": checksAddresses,
      "accept-worse": acceptsWorse,
    });
    const words = flags.flatMap(([name, isSet]) => (isSet ? [`--${name}`] : []));
    if (runSelf) await runSelf(["sources", "run", domain, String(sourceId), ...words], signal);
    else {
      const source = await ofSites.get(site.id, sourceId);
      await ofSites.run(site, source, { force, preview, checksAddresses, acceptsWorse, signal });
    }
  }

  async function postpone({ domain, sourceId }: ScheduledRun): Promise<void> {
    const { id } = await sites.get(domain);
    await ofSites.postpone(await ofSites.get(id, sourceId));
  }

  return {
    async due(): Promise<DueRun[]> {
      const all = new Map((await sites.list()).map((site) => [site.id, site]));
      return (await ofSites.due()).flatMap(({ id: sourceId, siteId, location }) => {
        const site = all.get(siteId);
        if (site === undefined) return [];
        const { domain, organizationId } = site;
        return [{ domain, siteId, organizationId, sourceId, location }];
      });
    },

    async run(due: ScheduledRun, signal: AbortSignal): Promise<void> {
      const timeout = AbortSignal.timeout(config.run_seconds * SECOND_MS);
      try {
        await runOne(due, AbortSignal.any([signal, timeout]));
      } catch (cause) {
        if (signal.aborted) throw cause;
        // A run that was stopped, or whose process was killed (as when memory runs out), could not note it
        // itself. Where it cannot be noted here either, the database is away, and the source stays due.
        await postpone(due).catch(() => {});
        throw timeout.aborted ? tookTooLong(config, cause) : cause;
      }
    },
  };
}

function tookTooLong({ run_seconds }: RunSurroundings["config"], cause: unknown): AppError {
  return new AppError("unavailable", `The run was ended after ${run_seconds} seconds.`, {
    hint: "The next one goes on from where it was. If it never comes to its end, raise the setting run_seconds.",
    cause,
  });
}
