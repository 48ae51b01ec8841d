import { expect, test } from "bun:test";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { settleCutOffRuns } from "../../../src/running/upkeep/cut-off-runs.ts";
import { startDocent } from "../../helpers/docent.ts";
import { testLog } from "../../helpers/test-log.ts";

test("a run that nobody goes on with is noted at the second look; one that holds its source is left", async () => {
  const docent = await startDocent();
  const { people, sources, storage } = docent.app.parts;
  const { id: siteId } = await people.sites.get("acme");
  const [source] = await sources.ofSites.list(siteId);
  if (source === undefined) throw new Error("the site has a source");
  await storage.content.ledger.beginRun(source, systemClock());
  const lastOutcome = async () => (await sources.ledger.runs(source.id, 1))[0]?.outcome;

  let looks = 0;
  const looked: (() => void)[] = [];
  const ledger = {
    unended: async () => {
      looks += 1;
      for (const each of looked.splice(0)) each();
      return sources.ledger.unended();
    },
  };
  const nextLooks = async (count: number) => {
    const until = looks + count;
    while (looks < until) await new Promise<void>((resolve) => looked.push(resolve));
  };
  const { log, lines } = testLog();
  const lease = await storage.content.ingest.lock(source);
  const upkeep = settleCutOffRuns({ sources: { ...sources, ledger }, log, lookMs: 5 });
  await nextLooks(3);
  expect([await lastOutcome(), lines]).toEqual([undefined, []]);

  await lease.release();
  await nextLooks(3);
  await upkeep.close();
  expect(await lastOutcome()).toBe("failed");
  expect(lines).toMatchObject([{ event: "a run was cut off before its end, and is noted so" }]);
  expect(await sources.ledger.unended()).toEqual([]);
  await docent.close();
});
