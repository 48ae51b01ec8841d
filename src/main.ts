import { readFileSync } from "node:fs";
import { runCli } from "./cli/cli.ts";

const abort = new AbortController();

/** The first signal asks for an orderly end, the second one gets any end. */
function onSignal(): void {
  if (abort.signal.aborted) process.exit(130);
  abort.abort();
}
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

process.exit(
  await runCli({
    arguments: process.argv.slice(2),
    environment: process.env,
    terminal: {
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      isInteractive: Boolean(process.stdout.isTTY && process.stderr.isTTY),
      columns: process.stdout.columns ?? 80,
    },
    readFile: (path) => readFileSync(path, "utf8"),
    signal: abort.signal,
  }),
);
