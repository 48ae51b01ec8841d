import { join, resolve } from "node:path";
import type { Measure } from "./bench/figures.ts";
import { describeMachine } from "./bench/machine.ts";
import { measureFirstByte } from "./bench/measure-first-byte.ts";
import { measureGuard } from "./bench/measure-guard.ts";
import { measureMemory } from "./bench/measure-memory.ts";
import { measureRetrieval } from "./bench/measure-retrieval.ts";
import { measureSize } from "./bench/measure-size.ts";
import { measureStart } from "./bench/measure-start.ts";
import { measureStreams } from "./bench/measure-streams.ts";
import { hasProcessStats } from "./bench/process-stats.ts";
import { inTemporaryDirectory, openProgram, type Program } from "./bench/processes.ts";
import { toPage, toText } from "./bench/report.ts";

// Measures the binary and writes docs/benchmarks.md: `bun scripts/bench.ts`. With names, such as `start streams`, it
// only prints those.

const ROOT = join(import.meta.dir, "..");

const MEASURES: Record<string, (program: Program, directory: string) => Promise<Measure | Measure[]>> = {
  start: measureStart,
  ...(hasProcessStats ? { memory: measureMemory } : {}),
  size: ({ binary }) => measureSize(binary),
  "first-byte": measureFirstByte,
  streams: measureStreams,
  guard: measureGuard,
  ...(hasProcessStats ? { retrieval: (_, directory) => measureRetrieval(directory) } : {}),
};

const asked = process.argv.slice(2);
const measures: Measure[] = [];

await inTemporaryDirectory(async (directory) => {
  const program = openProgram(resolve(process.env["DOCENT_BINARY"] ?? join(ROOT, "dist/docent")), directory);
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const measured of [await measure(program, directory)].flat()) {
      process.stdout.write(`${toText(measured)}\n`);
      measures.push(measured);
    }
  }
  if (asked.length > 0) return;
  const version = (await program.run("--version")).replace(/^docent /, "");
  await Bun.write(join(ROOT, "docs/benchmarks.md"), toPage(measures, await describeMachine(version)));
  process.stdout.write("docs/benchmarks.md\n");
});
