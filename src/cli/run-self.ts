import { AppError } from "@docent/kernel/errors";
import { SHORT_LIVED } from "@docent/kernel/lib/short-lived";
import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";

const COMPLAINT_CHARACTERS = 1000;
/** A run that is told to stop does so between two pages; one that has not by then hangs. */
const STOP_MS = 30_000;

type RunSelf = (words: string[], signal: AbortSignal) => Promise<void>;
/** The same, for a command that is asked for its results: their JSON. */
type AskSelf = (words: string[], signal: AbortSignal) => Promise<string>;

/**
 * Runs a command of this program in a process of its own: parsing pages does not make readers wait, and the
 * memory goes back to the system at the end. A process that does not end when told is killed; the next run
 * takes up what it staged.
 */
export function createRunSelf(
  self: readonly string[],
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  options?: { stopMs?: number },
): RunSelf {
  const start = createSelf(self, settings, { ...SHORT_LIVED, ...environment }, options);
  return async (words, signal) => void (await start(words, signal, "ignore"));
}

export function createAskSelf(...given: Parameters<typeof createSelf>): AskSelf {
  const start = createSelf(...given);
  return (words, signal) => start(words, signal, "pipe");
}

function createSelf(
  self: readonly string[],
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  { stopMs = STOP_MS } = {},
) {
  const flags = flagsOf(settings);
  return async (words: string[], signal: AbortSignal, stdout: "ignore" | "pipe"): Promise<string> => {
    const child = Bun.spawn([...self, ...words, ...flags, "--json"], {
      env: { ...environment },
      stdin: "ignore",
      stdout,
      stderr: "pipe",
    });
    let killing: Timer | undefined;
    const end = () => {
      child.kill("SIGTERM");
      killing = setTimeout(() => child.kill("SIGKILL"), stopMs);
    };
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const [out, said, code] = await Promise.all([
      child.stdout === undefined ? "" : new Response(child.stdout).text(),
      readEnd(child.stderr),
      child.exited,
    ]);
    signal.removeEventListener("abort", end);
    clearTimeout(killing);
    signal.throwIfAborted();
    if (code !== 0) throw new AppError("unavailable", complaintIn(said) || `exit code ${code}`);
    return out;
  };
}

/** What a server calls this program with, before the words of a command, for work of its own. */
export const FOR_SERVER = "for-server";

/** How a server with these settings runs commands of this program for itself. */
export function createOwnRuns(
  self: readonly string[],
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): { runSelf: RunSelf; askSelf: AskSelf } {
  const forServer = [...self, FOR_SERVER];
  return {
    runSelf: createRunSelf(forServer, settings, environment),
    askSelf: createAskSelf(forServer, settings, environment),
  };
}

/** Runs a command of this program where a person sees it. Returns its exit code, and its results where these are for a program. */
export type ShowSelf = (
  words: string[],
  options: { signal: AbortSignal; isJson: boolean },
) => Promise<{ code: number; out: string }>;

/**
 * Runs a command in a process of its own, which has this one's terminal: what it says is seen as if this one had said it.
 * With `isJson`, its results are returned instead.
 */
export function createShowSelf(
  self: readonly string[],
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): ShowSelf {
  const flags = flagsOf(settings);
  return async (words, { signal, isJson }) => {
    const child = Bun.spawn([...self, ...words, ...flags, ...(isJson ? ["--json"] : [])], {
      env: { ...environment },
      stdin: "ignore",
      stdout: isJson ? "pipe" : "inherit",
      stderr: "inherit",
      // Ctrl+C reaches this process alone, which passes it on: two signals would end the other one at once.
      detached: true,
    });
    const end = () => child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const [out, code] = await Promise.all([
      child.stdout === undefined ? "" : new Response(child.stdout).text(),
      child.exited,
    ]);
    signal.removeEventListener("abort", end);
    return { code, out };
  };
}

function flagsOf(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, value]);
}

/** The end of a process's output: a run may print a line for each of its pages. */
async function readEnd(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let end = "";
  for await (const piece of stream)
    end = (end + decoder.decode(piece, { stream: true })).slice(-2 * COMPLAINT_CHARACTERS);
  return end;
}

/** Why it failed: the last line, or all the output of a process that could not even say that. */
function complaintIn(said: string): string {
  const { error, hint } = asRecord(jsonIn(said.trim().split("\n").at(-1) ?? ""));
  const told = [asText(error), asText(hint)].filter(Boolean).join(" ");
  return (asText(error) === undefined ? said.trim() : told).slice(-COMPLAINT_CHARACTERS);
}
