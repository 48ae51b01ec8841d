import type { StepOutcome } from "@docent/finding/enrich/enrich";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Site } from "@docent/sites/site/sites";
import type { Enrichments } from "../app/enrichments/enrichments.ts";
import { alone, type TakeOn } from "./alone.ts";
import { repeat } from "./repeat.ts";

const LOOK_MS = 15 * SECOND_MS;

interface EnrichingDeps {
  list(): Promise<Site[]>;
  enrichments: Pick<Enrichments, "enricher" | "measureIfDue">;
  takeOn: TakeOn;
  log: Log;
}

/**
 * Lets models write for the sites whose owners turned it on, one passage after the other, the sites in turns, while nobody
 * asks and the day's time lasts. Measures what was written, too.
 */
export function enrichSites({ list, enrichments, takeOn, log }: EnrichingDeps) {
  /** Read anew in each round: an owner may have turned it off. */
  const wanted = async () =>
    (await list()).filter(({ settings, generation }) => settings.enrichment !== "off" && generation > 0);

  const write = alone(takeOn, "enrichments", async (signal) => {
    let outcome: StepOutcome = "done";
    while (outcome === "done") outcome = await goRound(await wanted(), enrichments.enricher, signal);
    for (const site of await wanted()) await enrichments.measureIfDue(site, signal);
  });

  async function work(signal: AbortSignal): Promise<void> {
    if ((await wanted()).length > 0) await write(signal);
  }

  return repeat({
    work,
    everyMs: LOOK_MS,
    onFailure: (error) => log.warn("what models write for search is interrupted", reasonFields(error)),
  });
}

/** One passage of each site. `done` where another round has something to do. */
async function goRound(
  sites: readonly Site[],
  { step, settle }: Enrichments["enricher"],
  signal: AbortSignal,
): Promise<StepOutcome> {
  let round: StepOutcome = "none";
  for (const site of sites) {
    signal.throwIfAborted();
    const outcome = await step(site, signal);
    await settle(site, signal, outcome === "none" || outcome === "spent");
    if (outcome === "done") round = "done";
    // Whoever asks, or a model that is away, is in the way of every site.
    else if (outcome !== "none") return outcome;
  }
  return round;
}
