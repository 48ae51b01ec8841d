import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Measure } from "./figures.ts";
import { type Program, using } from "./processes.ts";
import { prepareSite } from "./site.ts";

const RUNS = 20;
const AIM = { below: 80 };

export async function measureStart(program: Program, directory: string): Promise<Measure> {
  const used = join(directory, "used");
  await prepareSite(program, used);
  const existing: number[] = [];
  const empty: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    // Alternating, so that other load on the machine affects both alike.
    existing.push(await startOnce(program, used));
    empty.push(await startOnce(program, mkdtempSync(join(directory, "empty-"))));
  }
  return {
    title: "Start",
    how: `From starting \`docent serve\` to the first 200 from \`/health/ready\`, which is asked about every millisecond; ${RUNS} runs of each, in turns, with the binary in the system's file cache and no Ollama.`,
    figures: [
      { name: "Start, existing data directory", unit: "ms", values: existing, aim: AIM },
      { name: "Start, empty data directory", unit: "ms", values: empty, aim: AIM },
    ],
  };
}

const startOnce = (program: Program, data: string) =>
  using(program.serve(data), async ({ startMs }) => startMs);
