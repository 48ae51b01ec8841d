import { join } from "node:path";
import { NotHere } from "./bounded.ts";
import { obtainClientTools } from "./clients/tools.ts";

// Runs test/clients: programs by others read the OpenAPI document, generate clients from it and use them
// against the binary. With --obtain, it only brings them. Where they are not available, it says so and does not fail.

const MINUTE_MS = 60_000;
/** Beside other work, which comes first. */
const OBTAIN_ALONE_MS = 20 * MINUTE_MS;
/** For what hangs: the longest takes a minute on two idle processors. */
const TEST_MAX_MS = 15 * MINUTE_MS;
const root = join(import.meta.dir, "..");
const started = Date.now();

async function main(): Promise<number> {
  try {
    const isObtaining = process.argv.includes("--obtain");
    const tools = await obtainClientTools(started + (isObtaining ? OBTAIN_ALONE_MS : 3 * MINUTE_MS));
    say(`the tools are here (${seconds()})`);
    if (isObtaining) return 0;
    const files = [...new Bun.Glob("test/clients/*.clients.ts").scanSync({ cwd: root })].sort();
    const child = Bun.spawn(
      [process.execPath, "test", "--timeout", String(TEST_MAX_MS), ...files.map((file) => `./${file}`)],
      {
        cwd: root,
        env: { ...process.env, DOCENT_CLIENTS_PYTHON: tools.python, DOCENT_CLIENTS_NODE: tools.node },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    return await child.exited;
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    say(`NO TESTS OF CLIENTS RAN: what they need cannot be had here.\n${error.message}`);
    return 0;
  } finally {
    say(`over (${seconds()})`);
  }
}

const say = (line: string) => process.stdout.write(`clients: ${line}\n`);
const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;

process.exit(await main());
