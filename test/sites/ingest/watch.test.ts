import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchFolder } from "../../../src/sites/ingest/watch.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/temporary-directory.ts";

const QUICK = { debounceMs: 40, retryMs: 40 };

interface Watched extends AsyncDisposable {
  root: string;
  runs: () => number;
  /** How many files had changed for the last run. */
  files: () => number;
  errors: unknown[];
  /** Waits for a run that starts after this was called. */
  nextRun(): Promise<void>;
}

/** Watches a folder inside a temporary one, until the test is over. */
async function watched(
  parent: TemporaryDirectory,
  work: () => Promise<void> = async () => {},
  times = QUICK,
): Promise<Watched> {
  const root = join(parent.path, "docs");
  mkdirSync(root);
  writeFileSync(join(root, "a.md"), "one");
  const stop = new AbortController();
  const errors: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  let runs = 0;
  let lastFiles = 0;
  let waiting = Promise.withResolvers<void>();
  const onChange = async (files: number) => {
    // Until it watches there is nothing to see: the first call says that it does, and is no run.
    if (!hasBegun) {
      hasBegun = true;
      return begun.resolve();
    }
    runs += 1;
    lastFiles = files;
    waiting.resolve();
    waiting = Promise.withResolvers();
    await work();
  };
  const ended = watchFolder(root, onChange, {
    ...times,
    atOnce: true,
    signal: stop.signal,
    onError: (error) => errors.push(error),
  });
  await begun.promise;
  return {
    root,
    errors,
    runs: () => runs,
    files: () => lastFiles,
    nextRun: () => waiting.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

test("a change is seen, and many at once are one", async () => {
  using parent = temporaryDirectory();
  // A busy machine tells of one file after another: none of them may be late by this.
  await using docs = await watched(parent, undefined, { ...QUICK, debounceMs: 1500 });
  const run = docs.nextRun();
  for (let index = 0; index < 50; index++) writeFileSync(join(docs.root, `${index}.md`), "x");
  await run;
  expect([docs.runs(), docs.files()]).toEqual([1, 50]);
});

test("what changed before watching began is seen when that is asked for", async () => {
  using parent = temporaryDirectory();
  const stop = new AbortController();
  const seen = Promise.withResolvers<void>();
  const ended = watchFolder(parent.path, async () => seen.resolve(), {
    ...QUICK,
    atOnce: true,
    signal: stop.signal,
    onError: seen.reject,
  });
  await seen.promise;
  stop.abort();
  await ended;
});

test("what is in a folder that was made later is seen", async () => {
  using parent = temporaryDirectory();
  await using docs = await watched(parent);
  let run = docs.nextRun();
  mkdirSync(join(docs.root, "guide", "deep"), { recursive: true });
  await run;
  run = docs.nextRun();
  writeFileSync(join(docs.root, "guide", "deep", "a.md"), "x");
  await run;
});

test("an editor that writes beside the file and renames is seen", async () => {
  using parent = temporaryDirectory();
  await using docs = await watched(parent);
  for (let round = 0; round < 2; round++) {
    const run = docs.nextRun();
    writeFileSync(join(docs.root, ".a.md.swp"), "two");
    renameSync(join(docs.root, ".a.md.swp"), join(docs.root, "a.md"));
    await run;
  }
});

test("runs never overlap, and what changes during one leads to one more", async () => {
  using parent = temporaryDirectory();
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  await using docs = await watched(parent, async () => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
  });
  const first = docs.nextRun();
  writeFileSync(join(docs.root, "a.md"), "two");
  await first;
  const second = docs.nextRun();
  for (let index = 0; index < 3; index++) {
    writeFileSync(join(docs.root, "a.md"), `three ${index}`);
    await Bun.sleep(60);
  }
  expect(docs.runs()).toBe(1);
  gate.resolve();
  await second;
  await Bun.sleep(150);
  expect([docs.runs(), most]).toEqual([2, 1]);
});

test("a folder that is put in its place is watched instead", async () => {
  using parent = temporaryDirectory();
  await using docs = await watched(parent);
  mkdirSync(join(parent.path, "next"));
  writeFileSync(join(parent.path, "next", "a.md"), "next");
  let run = docs.nextRun();
  renameSync(docs.root, join(parent.path, "old"));
  renameSync(join(parent.path, "next"), docs.root);
  await run;
  expect(docs.files()).toBe(Number.POSITIVE_INFINITY);
  await Bun.sleep(200);
  run = docs.nextRun();
  writeFileSync(join(docs.root, "a.md"), "changed in the new one");
  await run;
});

test("a folder that goes is said, and seen when it is back", async () => {
  using parent = temporaryDirectory();
  await using docs = await watched(parent);
  rmSync(docs.root, { recursive: true });
  await Bun.sleep(200);
  expect(String(docs.errors[0])).toContain("is gone");
  const run = docs.nextRun();
  mkdirSync(docs.root);
  await run;
});

test("a run that fails is said, and the next change runs again", async () => {
  using parent = temporaryDirectory();
  await using docs = await watched(parent, async () => {
    throw new Error("no disk");
  });
  for (let round = 1; round <= 2; round++) {
    const run = docs.nextRun();
    writeFileSync(join(docs.root, "a.md"), `round ${round}`);
    await run;
    await Bun.sleep(20);
    expect(docs.errors.length).toBeGreaterThanOrEqual(round);
  }
  expect(String(docs.errors[0])).toContain("no disk");
});

test("it ends when it is told to, and not before its last run has", async () => {
  using parent = temporaryDirectory();
  const gate = Promise.withResolvers<void>();
  let hasEnded = false;
  const docs = await watched(parent, async () => {
    await gate.promise;
    hasEnded = true;
  });
  const run = docs.nextRun();
  writeFileSync(join(docs.root, "a.md"), "two");
  await run;
  setTimeout(() => gate.resolve(), 20);
  await docs[Symbol.asyncDispose]();
  expect(hasEnded).toBe(true);
});
