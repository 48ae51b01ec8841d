import { AppError } from "../errors.ts";

const COMPLAINT_CHARACTERS = 1000;

export type RunSelf = (words: string[], signal: AbortSignal) => Promise<void>;

/**
 * Runs a command of this program in a process of its own: the server's readers do not wait while pages are parsed, and
 * what the run needed of memory goes back to the system when it ends.
 */
export function createRunSelf(
  self: readonly string[],
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): RunSelf {
  const flags = Object.entries(settings).flatMap(([name, value]) => [
    `--${name.replaceAll("_", "-")}`,
    value,
  ]);
  return async (words, signal) => {
    const child = Bun.spawn([...self, ...words, ...flags], {
      env: { ...environment },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const end = () => child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    signal.removeEventListener("abort", end);
    signal.throwIfAborted();
    if (code !== 0)
      throw new AppError("unavailable", said.trim().slice(-COMPLAINT_CHARACTERS) || `exit code ${code}`);
  };
}
