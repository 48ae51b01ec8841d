import { join, resolve } from "node:path";
import { askMeasures } from "./bench/ask/measure-ask.ts";
import type { Measure } from "./bench/figures.ts";
import { createLive, type OpenLive } from "./bench/live-ollama.ts";
import { describeMachine } from "./bench/machine.ts";
import { measureAsYouType } from "./bench/measure-as-you-type.ts";
import { measureCommands } from "./bench/measure-commands.ts";
import { measureFirstByte } from "./bench/measure-first-byte.ts";
import { measureNextTurn } from "./bench/measure-first-token-next-turn.ts";
import { measurePacked } from "./bench/measure-first-token-packed.ts";
import { measureGroups } from "./bench/measure-groups.ts";
import { measureGuard } from "./bench/measure-guard.ts";
import { measureHiddenWords } from "./bench/measure-hidden-words.ts";
import { measureMemory } from "./bench/measure-memory.ts";
import { measureLiveOverhead, measureOverhead } from "./bench/measure-overhead.ts";
import { measurePackingSets } from "./bench/measure-packing.ts";
import { measureQueue } from "./bench/measure-queue-fairness.ts";
import { measureRead } from "./bench/measure-read.ts";
import { measureReplay } from "./bench/measure-replay.ts";
import { measureSize } from "./bench/measure-size.ts";
import { measureStart } from "./bench/measure-start.ts";
import { measureStreams } from "./bench/measure-streams.ts";
import { measureStreamsSearched } from "./bench/measure-streams-searched.ts";
import { measureWeb } from "./bench/measure-web.ts";
import { hasProcessStats } from "./bench/process-stats.ts";
import { inTemporaryDirectory, openProgram, type Program } from "./bench/processes.ts";
import { toPage, toText, withMeasures } from "./bench/report.ts";
import { retrievalMeasures } from "./bench/retrieval/retrieval.ts";
import { postgresMeasures } from "./bench/servers/postgres-measures.ts";
import { unlessInterrupted } from "./live/ollama.ts";

// Measures the binary and writes docs/benchmarks.md: `bun scripts/bench.ts`. With names, such as `start
// streams`, it only prints those; a name without its last part, such as `retrieval`, means all of them. With `--write`
// before the names, it replaces their sections of the page.

const ROOT = join(import.meta.dir, "..");

type Run = (program: Program, directory: string, live: OpenLive) => Promise<Measure | Measure[]>;

const MEASURES: Record<string, Run> = {
  start: measureStart,
  commands: measureCommands,
  ...(hasProcessStats ? { memory: measureMemory } : {}),
  size: ({ binary }) => measureSize(binary),
  "first-byte": measureFirstByte,
  streams: measureStreams,
  "streams-searched": measureStreamsSearched,
  groups: measureGroups,
  "hidden-words": measureHiddenWords,
  guard: measureGuard,
  web: measureWeb,
  typing: measureAsYouType,
  overhead: measureOverhead,
  replay: measureReplay,
  queue: measureQueue,
  "live-overhead": measureLiveOverhead,
  packed: measurePacked,
  "next-turn": measureNextTurn,
  packing: (_, directory) => measurePackingSets(directory),
  ...(hasProcessStats ? { read: measureRead, ...askMeasures(), ...retrievalMeasures() } : {}),
  ...(hasProcessStats ? postgresMeasures() : {}),
};

const PAGE = join(ROOT, "docs/benchmarks.md");
const isWriting = process.argv.includes("--write");
const asked = process.argv.slice(2).filter((each) => each !== "--write");
const measures: Measure[] = [];
let failures = 0;

async function run(directory: string, live: OpenLive): Promise<void> {
  const program = openProgram(resolve(process.env["DOCENT_BINARY"] ?? join(ROOT, "dist/docent")), directory);
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (asked.length > 0 && !asked.some((each) => name === each || name.startsWith(`${each}-`))) continue;
    const attempt = measure(program, directory, live).catch((error) => failed(name, error));
    for (const measured of [await attempt].flat()) {
      process.stdout.write(`${toText(measured)}\n`);
      measures.push(measured);
    }
  }
  if (asked.length > 0 && !isWriting) return;
  const version = (await program.run("--version")).replace(/^docent /, "");
  const machine = await describeMachine(version);
  const isWhole = asked.length === 0;
  await Bun.write(
    PAGE,
    isWhole ? toPage(measures, machine) : withMeasures(await Bun.file(PAGE).text(), measures, machine),
  );
  process.stdout.write("docs/benchmarks.md\n");
}

/** What is said in the place of a measure that failed: the others took most of an hour. */
function failed(name: string, error: unknown): Measure {
  failures++;
  return { title: name, how: `This measure failed: ${error}`, figures: [] };
}

const code = await inTemporaryDirectory((directory) =>
  unlessInterrupted(async (stack) => {
    await run(
      directory,
      createLive(stack, (line) => process.stderr.write(`${line}\n`)),
    );
    return failures === 0 ? 0 : 1;
  }),
);
// Interrupted work may still be running here.
process.exit(code);
