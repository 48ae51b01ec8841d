import { expect, test } from "bun:test";
import { requestedRuns } from "../../src/app/upkeep/requested-runs.ts";
import { AppError } from "../../src/errors.ts";
import type { RunJob } from "../../src/ingest/run-jobs/run-jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";

/** The work of runs, where the process that does one is played by the test. */
async function opened(runSelf: (words: string[], docent: TestDocent) => Promise<void>) {
  const docent = await startDocent();
  const { parts } = docent.app;
  const { id: siteId, domain, organizationId } = await parts.people.sites.get("acme");
  const said: string[][] = [];
  const work = requestedRuns(
    {
      clock: systemClock,
      log: docent.log,
      config: { run_seconds: 60 },
      async runSelf(words) {
        said.push(words);
        await runSelf(words, docent);
      },
    },
    parts,
  );
  const job: RunJob = {
    id: "1",
    domain,
    siteId,
    organizationId,
    sourceId: 1,
    location: "/docs",
    state: "running",
    requestedAt: 0,
  };
  return {
    docent,
    said,
    run: (change: Partial<RunJob> = {}) => work({ ...job, ...change }, AbortSignal.timeout(5000)),
  };
}

/** Ends the newest run of source 1 as another process would note it. */
async function note({ app }: TestDocent, outcome: "published" | "failed", message?: string): Promise<void> {
  const { people, sources, storage } = app.parts;
  const source = await sources.ofSites.get((await people.sites.get("acme")).id, 1);
  const runId = await storage.content.ledger.beginRun(source, systemClock());
  await storage.content.ledger.endRun(source, runId, {
    outcome,
    message,
    counts: { added: 3 },
    at: systemClock(),
  });
}

test("a run is done in a process of its own, and ends as that noted it", async () => {
  const { docent, said, run } = await opened((_, it) => note(it, "published"));
  expect(await run({ force: true })).toMatchObject({ outcome: "published", counts: { added: 3 } });
  expect(said).toEqual([["sources", "run", "acme", "1", "--force"]]);
  await docent.close();
});

test("one that failed says what it noted, and never what the process printed", async () => {
  const printed = new AppError("unavailable", "docent: Internal error: secret");
  const noted = await opened(async (_, it) => {
    await note(it, "failed", "There are no pages.");
    throw printed;
  });
  expect(await noted.run()).toMatchObject({ outcome: "failed", message: "There are no pages." });
  await noted.docent.close();
  const silent = await opened(() => Promise.reject(printed));
  await expect(silent.run()).rejects.toMatchObject({ message: expect.not.stringContaining("secret") });
  expect(silent.docent.logged.join("")).toContain("secret");
  await silent.docent.close();
});

test("a source is removed by the command that removes one", async () => {
  const { docent, said, run } = await opened(async () => {});
  expect(await run({ removes: true })).toEqual({ outcome: "removed", generation: 1 });
  expect(said).toEqual([["sources", "remove", "acme", "1", "--yes"]]);
  await docent.close();
});
