import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { readMemory } from "./bench/process-stats.ts";
import { inTemporaryDirectory, openProgram, type Program, startModel, using } from "./bench/processes.ts";
import { prepareSite, UNHINDERED } from "./bench/site.ts";
import { LOADS, type Target } from "./bench/soak-loads.ts";

// Puts the same counted load on a server round after round, and prints its memory after each: `bun
// scripts/soak.ts [--heap] <rounds> <load>...`. Each load has a server of its own, with a model that answers
// at once. With --heap the program runs from source, and the objects on its heap are counted, too.

const ROOT = join(import.meta.dir, "..");
const SETTLE_MS = 1500;
const HEAP_POLL_MS = 20;
/** Types that are not shown are small. */
const TYPES_SHOWN = 8;

const words = process.argv.slice(2).filter((word) => word !== "--heap");
const showsHeap = process.argv.includes("--heap");
const [rounds = "20", ...named] = words;

interface Heap {
  heapSize: number;
  extraMemorySize: number;
  objectCount: number;
  external: number;
  objectTypeCounts: Record<string, number>;
}

async function soak(program: Program, directory: string, name: string): Promise<void> {
  const load = LOADS[name];
  if (load === undefined) throw new Error(`there is no load ${name}: ${Object.keys(LOADS).join(", ")}`);
  const data = join(directory, name);
  const folder = join(directory, `${name}-docs`);
  const assistantKey = await prepareSite(program, data);
  const adminKey = await program.run("admin-keys", "create", "soak", "--server", "--write", "--data", data);
  const settings = { ...UNHINDERED, source_roots: directory };
  await using(startModel(100, 0), (model) =>
    using(program.serve(data, settings, model.url), async ({ url, pid }) => {
      const target: Target = { url, assistantKey, adminKey, folder };
      print(`${name}, round by round: RSS, USS in MB`);
      let before: Heap | undefined;
      for (let round = 0; round < Number(rounds); round++) {
        await load(target, round);
        await Bun.sleep(SETTLE_MS);
        const { residentMb, uniqueMb } = readMemory(pid);
        const heap = showsHeap ? await readHeap(pid) : undefined;
        print(
          `${round} ${Math.round(residentMb)} ${Math.round(uniqueMb)}${heap ? describe(heap, before) : ""}`,
        );
        before = heap;
      }
    }),
  );
}

const heapFile = (directory: string) => join(directory, "heap.json");
let directoryOfHeap = "";

async function readHeap(pid: number): Promise<Heap> {
  const file = heapFile(directoryOfHeap);
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (;;) {
    await Bun.sleep(HEAP_POLL_MS);
    if (!existsSync(file)) continue;
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch {
      // The file is still being written.
    }
  }
}

function describe(heap: Heap, before: Heap | undefined): string {
  const mb = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  const grown = Object.entries(heap.objectTypeCounts)
    .map(([type, count]) => ({ type, more: count - (before?.objectTypeCounts[type] ?? count) }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more)
    .slice(0, TYPES_SHOWN)
    .map(({ type, more }) => `${type} +${more}`);
  return ` · heap ${mb(heap.heapSize)}, extra ${mb(heap.extraMemorySize)}, external ${mb(heap.external)}, ${heap.objectCount} objects · ${grown.join(", ")}`;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

await inTemporaryDirectory(async (directory) => {
  directoryOfHeap = directory;
  const seam = join(ROOT, "scripts/bench/heap-seam.ts");
  const binary = resolve(process.env["DOCENT_BINARY"] ?? join(ROOT, "dist/docent"));
  const program = showsHeap
    ? openProgram(process.execPath, directory, {
        words: ["--preload", seam, join(ROOT, "src/main.ts")],
        environment: { DOCENT_SOAK_HEAP: heapFile(directory) },
      })
    : openProgram(binary, directory);
  for (const name of named.length > 0 ? named : Object.keys(LOADS)) await soak(program, directory, name);
});
