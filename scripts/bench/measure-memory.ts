import { join } from "node:path";
import type { Figure, Measure } from "./figures.ts";
import { type Memory, readMemory } from "./process-stats.ts";
import { loadStreams, type Program, type Server, serveBare, startModel, using } from "./processes.ts";
import { ask, prepareSite, UNHINDERED } from "./site.ts";

const RUNS = 3;
/** What nobody needs any more is given back after some seconds. */
const SETTLE_MS = 12_000;
const ANSWERS = 1000;

interface Taken {
  idle: Memory[];
  quoted: Memory[];
  written: Memory[];
  bareIdle: Memory[];
  bare: Memory[];
}

export async function measureMemory(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "memory");
  const bare = await compileBareServer(directory);
  const key = await prepareSite(program, data);
  const taken: Taken = { idle: [], quoted: [], written: [], bareIdle: [], bare: [] };
  for (let run = 0; run < RUNS; run++) {
    await using(program.serve(data, UNHINDERED), async (server) => {
      taken.idle.push(await memoryAtRest(server));
      await askManyTimes(server, key);
      taken.quoted.push(await memoryAtRest(server));
    });
    await using(startModel(100, 0), async (model) => {
      await using(serveBare(bare, model.url), async (server) => {
        taken.bareIdle.push(await memoryAtRest(server));
        await askManyTimes(server, key);
        taken.bare.push(await memoryAtRest(server));
      });
      await using(program.serve(data, UNHINDERED, model.url), async (server) => {
        await askManyTimes(server, key);
        taken.written.push(await memoryAtRest(server));
      });
    });
  }
  return {
    title: "Memory",
    how: `From \`/proc/PID/smaps_rollup\`, ${SETTLE_MS / 1000} seconds after the start or after the last of ${ANSWERS} answers; ${RUNS} runs. RSS counts every page in memory, including those of the binary's file; PSS divides shared pages among the processes that share them; USS is what would be freed if the process ended. The bare server is a program of 30 lines on the same runtime, which hands on what the same model writes.`,
    figures: [
      ...figures("Idle, no Ollama", taken.idle, 65),
      ...figures(`After ${ANSWERS} quoted answers, no Ollama`, taken.quoted),
      ...figures(`After ${ANSWERS} answers of a model`, taken.written, 130),
      ...figures("A bare server, idle", taken.bareIdle),
      ...figures(`A bare server, after ${ANSWERS} replies of the model`, taken.bare),
    ],
  };
}

async function compileBareServer(directory: string): Promise<string> {
  const outfile = join(directory, "bare-server");
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "bare-server.ts")],
    bytecode: true,
    format: "esm",
    compile: { outfile },
  });
  if (!built.success) throw new AggregateError(built.logs, "the bare server could not be built");
  return outfile;
}

function figures(name: string, taken: Memory[], below?: number): Figure[] {
  const resident = taken.map(({ residentMb }) => residentMb);
  return [
    {
      name: `${name}: RSS`,
      unit: "MB",
      values: resident,
      ...(below === undefined ? {} : { aim: { below } }),
    },
    { name: `${name}: PSS`, unit: "MB", values: taken.map(({ proportionalMb }) => proportionalMb) },
    { name: `${name}: USS`, unit: "MB", values: taken.map(({ uniqueMb }) => uniqueMb) },
  ];
}

async function memoryAtRest({ pid }: Server): Promise<Memory> {
  await Bun.sleep(SETTLE_MS);
  return readMemory(pid);
}

async function askManyTimes({ url }: Server, key: string): Promise<void> {
  for (let batch = 0; batch < ANSWERS / 10; batch++) {
    const { streams } = await loadStreams({ asked: ask(url, key), streams: 10 });
    if (streams.some(({ status }) => status !== 200)) throw new Error("a question was not answered");
  }
}
