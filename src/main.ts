import { readFileSync } from "node:fs";
import { runCli, UNREAD } from "@docent/cli/cli";
import { printFailure } from "@docent/cli/failure";
import { createTerminal } from "@docent/cli/terminal/terminal";
import { red } from "@docent/cli/terminal/text";

// Databases and backups hold conversations and secrets: what this program writes is for its own user alone.
process.umask(0o077);

const abort = new AbortController();
let isOver = false;

/** The first signal asks for an orderly end, the second one gets any end. */
function onSignal(): void {
  if (abort.signal.aborted || isOver) process.exit(130);
  abort.abort();
}
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);
if (endsOnHangup()) process.on("SIGHUP", onSignal);

/**
 * Whether a closed terminal ends this program: not where it was started to outlive it, with nohup, which has SIGHUP
 * ignored. Where that cannot be asked, a program that is not shown at a terminal keeps what the system does.
 */
function endsOnHangup(): boolean {
  if (process.platform === "win32") return true;
  if (process.platform !== "linux") return process.stdout.isTTY || process.stderr.isTTY;
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${ignored}`) & 1n) === 0n;
}

const { terminal, ended, isRead } = createTerminal({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: () => process.stdin,
  environment: process.env,
  onGone: (reason) => abort.abort(reason),
});

/** The runtime would print what nobody caught as it came. */
function onFault(error: unknown): void {
  printFailure(terminal, error, { json: false, debug: true });
  void ended().then(() => process.exit(1));
}
process.on("uncaughtException", onFault);
process.on("unhandledRejection", onFault);

const code = await runCli({
  arguments: process.argv.slice(2),
  environment: process.env,
  // The compiled program is one file; from source, the runtime is told which one.
  self:
    Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:/~BUN/")
      ? [process.execPath]
      : [process.execPath, Bun.main],
  terminal,
  readFile: (path) => readFileSync(path, "utf8"),
  signal: abort.signal,
});
isOver = true;
const failure = await ended();
if (failure) terminal.err([red("docent:"), ` The output could not be written: ${failure.message}\n`]);
await ended();
process.exit(failure ? 1 : isRead() ? code : UNREAD);
