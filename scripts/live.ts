import { join } from "node:path";
import { NotHere } from "./bounded.ts";
import { measure } from "./live/measure.ts";
import { MODELS } from "./live/models.ts";
import { type LiveOllama, obtainLiveOllama, openLiveOllama, unlessInterrupted } from "./live/ollama.ts";

// Runs test/live against a real Ollama of its own. With --record, the server's replies are also written to
// test/fixtures/ollama. With --obtain, it only brings what it needs. Where no Ollama is available, it says so and does
// not fail.

const MINUTE_MS = 60_000;
const started = Date.now();
/** The first time, building the program and fetching the models take minutes. */
const obtainUntilMs = started + 5 * MINUTE_MS;
/** Beside other work, which comes first. */
const OBTAIN_ALONE_MS = 20 * MINUTE_MS;
/** For what hangs: several times what the tests take beside others on two processors. */
const TESTS_MS = 30 * MINUTE_MS;
const TEST_MAX_MS = 5 * MINUTE_MS;

const root = join(import.meta.dir, "..");

/** The exit status of the tests. */
async function runTests(
  { program, models, server, version }: LiveOllama,
  stack: AsyncDisposableStack,
): Promise<number> {
  const files = [...new Bun.Glob("test/live/*.live.ts").scanSync({ cwd: root })].sort();
  const child = Bun.spawn(
    [process.execPath, "test", "--timeout", String(TEST_MAX_MS), ...files.map((file) => `./${file}`)],
    {
      cwd: root,
      env: {
        ...process.env,
        DOCENT_LIVE_URL: server.url,
        DOCENT_LIVE_PROGRAM: program.path,
        DOCENT_LIVE_MODELS: models,
        DOCENT_LIVE_VERSION: version,
        ...(process.argv.includes("--record") && { DOCENT_LIVE_RECORD: "1" }),
      },
      stdio: ["ignore", "inherit", "inherit"],
      timeout: TESTS_MS,
      // In a process group, so that the servers started by a test end with it, even where it was cut off.
      detached: true,
    },
  );
  stack.defer(() => endGroup(child.pid));
  const code = await child.exited;
  if (child.signalCode !== null) say(`the tests were cut off; they have ${TESTS_MS / MINUTE_MS} minutes`);
  return code;
}

const sayWhen = (line: string) => say(`${line} (${seconds()})`);

async function obtain(): Promise<number> {
  await obtainLiveOllama({ models: MODELS, untilMs: started + OBTAIN_ALONE_MS, say: sayWhen });
  return 0;
}

async function run(stack: AsyncDisposableStack): Promise<number> {
  const prepared = await openLiveOllama(stack, { models: MODELS, untilMs: obtainUntilMs, say: sayWhen });
  const code = await runTests(prepared, stack);
  for (const model of MODELS) say(await measure(prepared.server.url, model));
  return code;
}

async function main(): Promise<number> {
  try {
    return await unlessInterrupted(process.argv.includes("--obtain") ? obtain : run);
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
    // Everything in the group has ended already.
  }
}

function say(line: string): void {
  process.stdout.write(`live: ${line}\n`);
}

function seconds(): string {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}

// Interrupted work may still be running here.
process.exit(await main());
