import { join } from "node:path";
import type { Figure, Measure } from "./figures.ts";
import { type Program, using } from "./processes.ts";
import { prepareSite } from "./site.ts";

const RUNS = 20;
const AIM = { below: 20 };

/** Commands that people and containers wait for, each beside a program of the same runtime that prints one word. */
export async function measureCommands(program: Program, directory: string): Promise<Measure> {
  const bare = await compileBare(directory);
  const data = join(directory, "commands");
  await prepareSite(program, data);
  return using(program.serve(data), async ({ url }) => {
    const commands: Record<string, string[]> = {
      "A program that prints one word": [bare],
      "docent --version": [program.binary, "--version"],
      "docent --help": [program.binary, "--help"],
      "docent health": [program.binary, "health", "--port", new URL(url).port],
    };
    const taken = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
    // In turns, so that other load on the machine affects all alike.
    for (let run = 0; run < RUNS; run++)
      for (const [name, words] of Object.entries(commands)) taken.get(name)?.push(await msOf(words));
    const figures = [...taken].map(
      ([name, values]): Figure => ({
        name,
        unit: "ms",
        values,
        ...(name.startsWith("docent") && { aim: AIM }),
      }),
    );
    return {
      title: "Commands",
      how: `From the start of a process to its end; ${RUNS} runs of each, in turns, with the files in the system's cache. \`docent health\` asks a server that runs. Beside them a program that the same runtime is compiled into.`,
      figures,
    };
  });
}

async function compileBare(directory: string): Promise<string> {
  const source = join(directory, "bare.ts");
  await Bun.write(source, 'process.stdout.write("ready\\n");\n');
  const outfile = join(directory, "bare");
  const built = await Bun.build({
    entrypoints: [source],
    bytecode: true,
    format: "esm",
    compile: { outfile },
  });
  if (!built.success) throw new AggregateError(built.logs, "the bare program could not be built");
  return outfile;
}

async function msOf(words: string[]): Promise<number> {
  const startedAt = performance.now();
  const child = Bun.spawn(words, { stdout: "ignore", stderr: "ignore", stdin: "ignore" });
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")} failed`);
  return performance.now() - startedAt;
}
