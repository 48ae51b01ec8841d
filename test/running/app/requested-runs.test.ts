import { expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { requestedRuns, wholeEnd } from "../../../src/running/upkeep/requested-runs.ts";
import type { RunJob } from "../../../src/sites/ingest/run-jobs/run-jobs.ts";
import type { RunOutcome, RunRecord } from "../../../src/sites/ingest/stores.ts";
import { startDocent, type TestDocent } from "../../helpers/docent.ts";

/** The work of runs, where the process that does one is played by the test. */
async function opened(runSelf: (words: string[], docent: TestDocent) => Promise<void>) {
  const docent = await startDocent();
  const { parts } = docent.app;
  const { id: siteId, domain, organizationId } = await parts.people.sites.get("acme");
  const said: string[][] = [];
  const work = requestedRuns(
    {
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
    run: (change: Partial<RunJob> = {}) => work({ ...job, ...change }, new AbortController().signal),
  };
}

/** Ends the newest run of source 1 as another process would note it. */
async function note({ app }: TestDocent, outcome: RunOutcome, message?: string): Promise<void> {
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

/** A run of source 1 that published so many changed pages, and whose process was killed before it noted its end. */
async function publishAndDie({ app }: TestDocent, changed: number): Promise<void> {
  const { people, sources, storage } = app.parts;
  const { ledger, ingest } = storage.content;
  const source = await sources.ofSites.get((await people.sites.get("acme")).id, 1);
  const ledgerRun = { id: await ledger.beginRun(source, systemClock()), incomplete: undefined };
  const { runId } = await ingest.openRun(source, systemClock());
  const counts = { added: 0, changed, unchanged: 0, removed: 0, passages: changed };
  await ingest.publish(source, runId, { counts, ledgerRun, at: systemClock() });
}

test("one whose process was killed behind the switch ends as what it published", async () => {
  const { docent, run } = await opened(async (_, it) => {
    await publishAndDie(it, 1325);
    throw new AppError("unavailable", "exit code 137");
  });
  expect(await run()).toMatchObject({ outcome: "published", generation: 2, counts: { changed: 1325 } });
  await docent.close();
});

test("one whose process was killed before ends as failed, says so, and is not under way for good", async () => {
  const { docent, run } = await opened(async (_, { app }) => {
    const { people, sources, storage } = app.parts;
    const source = await sources.ofSites.get((await people.sites.get("acme")).id, 1);
    await storage.content.ledger.beginRun(source, systemClock());
    throw new AppError("unavailable", "exit code 137");
  });
  expect(await run()).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("The run was cut off before its end"),
  });
  expect(await docent.app.parts.sources.ledger.unended()).toEqual([]);
  await docent.close();
});

test("one that another server had begun tells what all of its processes changed", async () => {
  const { docent, run } = await opened((_, it) => note(it, "unchanged"));
  const after = await docent.app.parts.sources.ledger.lastEnded(1);
  await publishAndDie(docent, 1325);
  const { sources } = docent.app.parts;
  const [source] = await sources.ofSites.list((await docent.app.parts.people.sites.get("acme")).id);
  if (source !== undefined) await sources.ofSites.settle(source);
  expect(await run({ afterRun: after })).toMatchObject({
    outcome: "published",
    generation: 2,
    counts: { changed: 1325 },
  });
  await docent.close();
});

test("one that another server had begun waits for the process that is still at it", async () => {
  const { docent, said, run } = await opened((_, it) => note(it, "unchanged"));
  const { ingest } = docent.app.parts.storage.content;
  const { sources, people } = docent.app.parts;
  const source = await sources.ofSites.get((await people.sites.get("acme")).id, 1);
  const lease = await ingest.lock(source);
  const running = run({ afterRun: await sources.ledger.lastEnded(1) });
  await Bun.sleep(20);
  expect(said).toEqual([]);
  await lease.release();
  expect(await running).toMatchObject({ outcome: "unchanged" });
  expect(said).toHaveLength(1);
  await docent.close();
});

test("what several runs changed for readers is told together", () => {
  const run = (change: Partial<RunRecord>): RunRecord => ({
    startedAt: 1,
    finishedAt: 2,
    outcome: "unchanged",
    message: undefined,
    generation: undefined,
    generator: undefined,
    docs: undefined,
    addresses: undefined,
    counts: {},
    ...change,
  });
  const published = (generation: number, changed: number) =>
    run({ outcome: "published", generation, counts: { added: 1, changed, removed: 0, passages: 2 } });
  expect(wholeEnd([])).toBeUndefined();
  expect(wholeEnd([published(1, 5), run({ outcome: undefined, finishedAt: undefined })])).toBeUndefined();
  expect(wholeEnd([published(1, 5), run({ counts: { unchanged: 9 } })])).toEqual({
    outcome: "published",
    message: undefined,
    generation: 1,
    counts: { added: 1, changed: 5, removed: 0, passages: 2, unchanged: 9 },
  });
  expect(wholeEnd([published(1, 5), published(2, 7)])).toMatchObject({
    outcome: "published",
    generation: 2,
    counts: { added: 2, changed: 12, passages: 4 },
  });
  expect(wholeEnd([published(1, 5), run({ outcome: "failed", message: "It is gone." })])).toMatchObject({
    outcome: "failed",
    message: "It is gone.",
    counts: { changed: 5 },
  });
});
