import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type RealOllama, startRealOllama } from "../test/helpers/real-ollama.ts";
import { NotHere } from "./live/bounded.ts";
import { loadModel } from "./live/load-model.ts";
import { MODELS } from "./live/models.ts";
import { findProgram, type Program } from "./live/program.ts";

// Runs test/live against a real Ollama of its own. `bun scripts/live.ts --record` also writes what the server replies to
// test/fixtures/ollama. Where no Ollama can be had, that is said, and it is no failure.

const MINUTE_MS = 60_000;
const started = Date.now();
/** Building the program and bringing the models take minutes the first time, and nothing afterwards. */
const obtainUntilMs = started + 7 * MINUTE_MS;
const TESTS_MS = 5 * MINUTE_MS;

const root = join(import.meta.dir, "..");
const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-live");
const words = process.argv.slice(2);

async function prepare(models: string): Promise<{ program: Program; server: RealOllama }> {
  mkdirSync(cache, { recursive: true });
  const program = await findProgram(cache, obtainUntilMs);
  say(`Ollama: ${program.path}, from ${program.from} (${seconds()})`);
  const server = await startRealOllama({ program: program.path, models });
  try {
    const version = await fetch(`${server.url}/api/version`).then((reply) => reply.json());
    say(`started at ${server.url}, version ${JSON.stringify(version)} (${seconds()})`);
    for (const model of MODELS) {
      await loadModel(server.url, model, cache, obtainUntilMs);
      say(`model ${model.name}: ${model.is} (${seconds()})`);
    }
    return { program, server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The status of the tests' own run. */
async function runTests({ program, server }: { program: Program; server: RealOllama }, models: string) {
  const files = [...new Bun.Glob("test/live/*.live.ts").scanSync({ cwd: root })].sort();
  const child = Bun.spawn(
    [process.execPath, "test", "--timeout", String(MINUTE_MS), ...files.map((file) => `./${file}`)],
    {
      cwd: root,
      env: {
        ...process.env,
        DOCENT_LIVE_URL: server.url,
        DOCENT_LIVE_PROGRAM: program.path,
        DOCENT_LIVE_MODELS: models,
        ...(words.includes("--record") && { DOCENT_LIVE_RECORD: "1" }),
      },
      stdio: ["ignore", "inherit", "inherit"],
      timeout: TESTS_MS,
    },
  );
  const code = await child.exited;
  if (child.signalCode !== null) say(`the live tests did not end within ${TESTS_MS / MINUTE_MS} minutes`);
  return code;
}

async function main(): Promise<number> {
  const models = mkdtempSync(join(tmpdir(), "docent-models-"));
  try {
    const prepared = await prepare(models);
    try {
      return await runTests(prepared, models);
    } finally {
      await prepared.server.stop();
    }
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    say(`NO LIVE TESTS RAN: no Ollama can be had here.\n${error.message}`);
    return 0;
  } finally {
    rmSync(models, { recursive: true, force: true });
    say(`over (${seconds()})`);
  }
}

function say(line: string): void {
  process.stdout.write(`live: ${line}\n`);
}

function seconds(): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}

process.exitCode = await main();
