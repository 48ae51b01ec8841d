import { readFileSync } from "node:fs";
import { runCli } from "./cli/cli.ts";
import { createOutlet } from "./cli/outlet.ts";

// Databases and backups hold conversations and secrets: what this program writes is for its own user alone.
process.umask(0o077);

const abort = new AbortController();
let ended = false;

/** The first signal asks for an orderly end, the second one gets any end. */
function onSignal(): void {
  if (abort.signal.aborted || ended) process.exit(130);
  abort.abort();
}
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

const out = createOutlet(process.stdout);
const err = createOutlet(process.stderr);
const code = await runCli({
  arguments: process.argv.slice(2),
  environment: process.env,
  // The compiled program is one file; from source, the runtime is told which one.
  self:
    Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:/~BUN/")
      ? [process.execPath]
      : [process.execPath, Bun.main],
  terminal: {
    out: out.write,
    err: err.write,
    async outRead() {
      await out.written();
      return out.isRead();
    },
    input: () => process.stdin,
    isInteractive: Boolean(process.stdout.isTTY && process.stderr.isTTY),
    columns: process.stdout.columns ?? 80,
  },
  readFile: (path) => readFileSync(path, "utf8"),
  signal: abort.signal,
});
ended = true;
await out.written();
const failure = out.failure();
if (failure) err.write(`docent: The output could not be written: ${failure.message}\n`);
await err.written();
process.exit(failure ? 1 : code);
