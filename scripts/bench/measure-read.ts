import { appendFileSync, cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { type ComparedRow, type Measure, median } from "./figures.ts";
import { readCpuSeconds } from "./process-stats.ts";
import { openProgram, type Program } from "./processes.ts";
import { findSet } from "./retrieval/real-sets.ts";

const ROOT = join(import.meta.dir, "../..");
const SETS = ["readers-dokku", "readers-celery", "ray", "cpp-docs"];
const TURNS = 3;
const LOOK_EVERY_MS = 10;
const RUNS = ["Fresh", "One page changed", "Unchanged"] as const;

/** What a run took: of processors, those that work for its reading process too, and by the clock. */
interface Taken {
  cpu: number;
  wall: number;
}

/** What it takes to read whole sets of docs, and to read them again; beside an older commit, where `DOCENT_BENCH_COMMIT` names one. */
export async function measureRead(program: Program, directory: string): Promise<Measure> {
  const commit = process.env["DOCENT_BENCH_COMMIT"];
  const programs = { Docent: program, ...(commit && { [commit]: await programOf(commit, directory) }) };
  const rows: ComparedRow[] = [];
  const missing: string[] = [];
  for (const name of SETS) {
    const set = findSet(name);
    if (set === undefined) missing.push(name);
    else rows.push(...(await measureSet(name, join(set, "docs"), programs, directory)));
  }
  return {
    title: "Reading",
    how: `\`docent ingest\` of a folder of docs into a new site, again after a sentence was added to one page, and again after nothing was: the time that processors worked, and the time by the clock, in each the median of ${TURNS} runs, in turns.${missing.length === 0 ? "" : ` Not on this machine: ${missing.join(", ")}.`}`,
    figures: [],
    compared: { columns: Object.keys(programs), rows },
  };
}

async function measureSet(
  name: string,
  docs: string,
  programs: Record<string, Program>,
  directory: string,
): Promise<ComparedRow[]> {
  const taken = Object.keys(programs).map(() => RUNS.map((): Taken[] => []));
  for (let turn = 0; turn < TURNS; turn++)
    for (const [number, program] of Object.values(programs).entries())
      for (const [run, each] of (await runsOf(program, docs, directory)).entries())
        taken[number]?.[run]?.push(each);
  const rowOf = (run: number, what: string, of: (each: Taken) => number): ComparedRow => ({
    name: `${name}: ${RUNS[run]?.toLowerCase()}, ${what}`,
    unit: "s",
    values: taken.map((runs) => median((runs[run] ?? []).map(of))),
  });
  return RUNS.flatMap((_, run) => [
    rowOf(run, "processors", ({ cpu }) => cpu),
    rowOf(run, "clock", ({ wall }) => wall),
  ]);
}

/** What the three runs over a copy of a set took. */
async function runsOf(program: Program, docs: string, directory: string): Promise<Taken[]> {
  const [source, data] = [join(directory, "read-source"), join(directory, "read-data")];
  for (const folder of [source, data]) rmSync(folder, { recursive: true, force: true });
  cpSync(docs, source, { recursive: true });
  await program.run("sites", "add", "read", "--data", data);
  const ingest = () => timed(program, "ingest", "read", source, "--data", data);
  const fresh = await ingest();
  const [page = ""] = [...new Bun.Glob("**/*.{md,rst}").scanSync(source)].sort();
  appendFileSync(join(source, page), "\n\nAnother sentence about pages that change.\n");
  return [fresh, await ingest(), await ingest()];
}

async function timed(program: Program, ...words: string[]): Promise<Taken> {
  const startedAt = performance.now();
  const child = program.begin(...words);
  // Looked at until they end: what the system says behind that has those alone that were waited for.
  const worked = new Map<number, number>();
  const look = setInterval(() => {
    for (const pid of [child.pid, ...childrenOf(child.pid)])
      worked.set(pid, cpuOf(pid) ?? worked.get(pid) ?? 0);
  }, LOOK_EVERY_MS);
  await new Response(child.stdout).text();
  const code = await child.exited;
  clearInterval(look);
  if (code !== 0) throw new Error(`docent ${words.join(" ")} ended with ${code}`);
  return {
    cpu: [...worked.values()].reduce((sum, each) => sum + each, 0),
    wall: (performance.now() - startedAt) / 1000,
  };
}

/** The processes that a process has started; none where it has ended. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  try {
    return readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function cpuOf(pid: number): number | undefined {
  try {
    return readCpuSeconds(pid);
  } catch {
    return undefined;
  }
}

/** The program of an older commit, which is built where it was not before. */
async function programOf(commit: string, directory: string): Promise<Program> {
  const tree = join(ROOT, ".cache", "bench", commit);
  const binary = join(tree, "dist", "docent");
  if (!existsSync(binary)) {
    if (!existsSync(tree)) await $`git -C ${ROOT} worktree add --detach ${tree} ${commit}`.quiet();
    await $`make -C ${tree} build`.quiet();
  }
  return openProgram(binary, directory);
}
