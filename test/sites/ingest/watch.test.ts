import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchFolder } from "../../../src/sites/ingest/watch.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { timersOf } from "../../helpers/timers-of.ts";
import { until } from "../../helpers/until.ts";

const QUICK = { debounceMs: 40, retryMs: 40 };
/** Longer than any test, and what no other timer has: it is quiet when a test says so. */
const QUIET_MS = 7_777_777;

/** Hears what the system tells of a folder. */
function watchedBy(root: string, hear: (file: string | null) => void): Disposable {
  const watcher = watch(root, (_, file) => hear(file));
  return { [Symbol.dispose]: () => watcher.close() };
}

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
  using quiet = timersOf(QUIET_MS);
  const beginning = watched(parent, undefined, { ...QUICK, debounceMs: QUIET_MS });
  await quiet.endNext();
  await using docs = await beginning;
  // What the system tells this one of, it has told the other one before.
  const told = new Set<string | null>();
  using _ = watchedBy(docs.root, (file) => told.add(file));
  const run = docs.nextRun();
  for (let index = 0; index < 50; index++) writeFileSync(join(docs.root, `${index}.md`), "x");
  await until(() => told.size === 50);
  await quiet.endNext();
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
  using quiet = timersOf(QUIET_MS);
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
  };
  const beginning = watched(parent, work, { ...QUICK, debounceMs: QUIET_MS });
  await quiet.endNext();
  await using docs = await beginning;
  const first = docs.nextRun();
  writeFileSync(join(docs.root, "a.md"), "two");
  await quiet.endNext();
  await first;
  for (let index = 0; index < 3; index++) {
    writeFileSync(join(docs.root, "a.md"), `three ${index}`);
    await quiet.endNext();
  }
  expect(docs.runs()).toBe(1);
  gate.resolve();
  await until(() => {
    // The system may tell of the last one only now.
    quiet.end();
    return docs.runs() > 1;
  });
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
  run = docs.nextRun();
  writeFileSync(join(docs.root, "a.md"), "changed in the new one");
  await run;
});

/** How many changes Linux keeps for a program that does not take them. */
const KEPT_FILE = "/proc/sys/fs/inotify/max_queued_events";
const kept = existsSync(KEPT_FILE) ? Number(readFileSync(KEPT_FILE, "utf8")) : Number.POSITIVE_INFINITY;

test.skipIf(kept > 50_000)(
  "more changes at once than the system tells are a change of everything, and what is new since is watched",
  async () => {
    using folder = temporaryDirectory();
    const program = join(import.meta.dir, "../../helpers/watching-folder.ts");
    const child = Bun.spawn([process.execPath, program, folder.path], { stdout: "pipe", stderr: "inherit" });
    using _ = { [Symbol.dispose]: () => child.kill("SIGKILL") };
    let said = "";
    const reading = (async () => {
      for await (const chunk of child.stdout) said += new TextDecoder().decode(chunk);
    })();
    await until(() => said !== "");
    // As one that has no turn for long.
    child.kill("SIGSTOP");
    await until(() => readFileSync(`/proc/${child.pid}/stat`, "utf8").includes(") T "));
    for (let index = 0; index < kept; index++) writeFileSync(join(folder.path, `${index}.md`), "x");
    mkdirSync(join(folder.path, "new"));
    child.kill("SIGCONT");
    await until(() => said.includes("Infinity\n"));
    const before = said;
    writeFileSync(join(folder.path, "new", "late.md"), "x");
    await until(() => said !== before);
    child.kill("SIGKILL");
    await reading;
  },
);

test("a folder that goes is said, and seen when it is back", async () => {
  using parent = temporaryDirectory();
  await using docs = await watched(parent);
  rmSync(docs.root, { recursive: true });
  await until(() => docs.errors.length > 0);
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
    await until(() => docs.errors.length >= round);
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

test("a single file is watched, also when an editor puts another one in its place", async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, "notes.md");
  writeFileSync(file, "one");
  const stop = new AbortController();
  const seen: string[] = [];
  const changes: (() => void)[] = [
    () => writeFileSync(file, "two"),
    () => {
      writeFileSync(`${file}.new`, "three");
      renameSync(`${file}.new`, file);
    },
  ];
  const look = async () => {
    const text = readFileSync(file, "utf8");
    if (seen.at(-1) === text) return;
    seen.push(text);
    const change = changes.shift();
    if (change === undefined) stop.abort();
    else change();
  };
  await watchFolder(file, look, { ...QUICK, atOnce: true, signal: stop.signal, onError: () => {} });
  expect(seen).toEqual(["one", "two", "three"]);
});
