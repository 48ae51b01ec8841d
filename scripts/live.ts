import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type RealOllama, startRealOllama } from "../test/helpers/real-ollama.ts";
import { NotHere } from "./live/bounded.ts";
import { loadModel } from "./live/load-model.ts";
import { measure } from "./live/measure.ts";
import { MODELS } from "./live/models.ts";
import { findProgram, type Program } from "./live/program.ts";

// Runs test/live against a real Ollama of its own. With --record, what the server replies is also written to
// test/fixtures/ollama. Where no Ollama can be had, that is said, and it is no failure.

const MINUTE_MS = 60_000;
const started = Date.now();
/** Building the program and bringing the models take minutes the first time, and nothing afterwards. */
const obtainUntilMs = started + 5 * MINUTE_MS;
const TESTS_MS = 5 * MINUTE_MS;

interface Prepared {
  program: Program;
  /** The folder with the models. */
  models: string;
  server: RealOllama;
}

const root = join(import.meta.dir, "..");
const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-live");

/** An Ollama of its own, with the models. What must be ended and removed afterwards goes onto the stack. */
async function prepare(stack: AsyncDisposableStack): Promise<Prepared> {
  if (Bun.which("pgrep") === null)
    throw new NotHere("there is no pgrep, which finds the processes of models");
  mkdirSync(cache, { recursive: true });
  const program = await findProgram(cache, obtainUntilMs);
  say(`Ollama: ${program.path}, from ${program.from} (${seconds()})`);
  const models = mkdtempSync(join(tmpdir(), "docent-models-"));
  stack.defer(() => rmSync(models, { recursive: true, force: true }));
  const server = stack.use(await startRealOllama({ program: program.path, models }));
  const { version } = await fetch(`${server.url}/api/version`).then((reply) => reply.json());
  say(`started at ${server.url}, version ${version} (${seconds()})`);
  for (const model of MODELS) {
    await loadModel(server.url, model, cache, obtainUntilMs);
    say(`model ${model.name}: ${model.is} (${seconds()})`);
  }
  return { program, models, server };
}

/** The status of the tests' own run. */
async function runTests({ program, models, server }: Prepared, stack: AsyncDisposableStack): Promise<number> {
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
        ...(process.argv.includes("--record") && { DOCENT_LIVE_RECORD: "1" }),
      },
      stdio: ["ignore", "inherit", "inherit"],
      timeout: TESTS_MS,
      // A group of its own: the servers that a test has started end with it, even where it was cut off.
      detached: true,
    },
  );
  stack.defer(() => endGroup(child.pid));
  const code = await child.exited;
  if (child.signalCode !== null) say(`the tests were cut off; they have ${TESTS_MS / MINUTE_MS} minutes`);
  return code;
}

async function run(stack: AsyncDisposableStack): Promise<number> {
  const prepared = await prepare(stack);
  const code = await runTests(prepared, stack);
  for (const model of MODELS) say(await measure(prepared.server.url, model));
  return code;
}

async function main(): Promise<number> {
  const interrupted = Promise.withResolvers<number>();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.resolve(1));
  try {
    await using stack = new AsyncDisposableStack();
    return await Promise.race([run(stack), interrupted.promise]);
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    say(`NO LIVE TESTS RAN: what they need cannot be had here.\n${error.message}`);
    return 0;
  } finally {
    say(`over (${seconds()})`);
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGTERM");
  } catch {
    // All of it has ended, as it should.
  }
}

function say(line: string): void {
  process.stdout.write(`live: ${line}\n`);
}

function seconds(): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}

// What was interrupted may still be running here.
process.exit(await main());
