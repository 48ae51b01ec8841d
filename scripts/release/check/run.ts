import { readFileSync } from "node:fs";

/** Ran in full, with its output in one piece. */
export interface Ran {
  code: number;
  said: string;
}

/** Thrown by a check for which something turned out to be missing. */
export class LeftOut extends Error {}

const RUN_MS = 120_000;

/** Runs a command to its end, and for a bounded time. */
export async function run(
  command: readonly string[],
  { env = {}, ms = RUN_MS }: { env?: Record<string, string>; ms?: number } = {},
): Promise<Ran> {
  const child = Bun.spawn([...command], {
    env: { ...process.env, LC_ALL: "C.UTF-8", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: ms,
    killSignal: "SIGKILL",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, said: `${out}${err}` };
}

/** Runs a command that has to succeed. Returns what it said. */
export async function must(
  command: readonly string[],
  options: { env?: Record<string, string> } = {},
): Promise<string> {
  const { code, said } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${said.slice(-2000)}`);
  return said;
}

/** Raises an error that says what was expected, where it is not so. */
export function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}

export const isHere = (program: string) =>
  Bun.which(program, { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` }) !== null;

/** A server in a process of its own, from when it takes questions until it is stopped. */
export async function withServer(
  command: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = { text: "" };
  const timer = setTimeout(() => process.kill(innermost(child.pid), "SIGKILL"), RUN_MS);
  try {
    const url = await untilListening(child.stderr, said);
    await work(url);
  } catch (cause) {
    throw new Error(`${command.join(" ")}: ${said.text.slice(-2000)}`, { cause });
  } finally {
    process.kill(innermost(child.pid), "SIGTERM");
    await child.exited;
    clearTimeout(timer);
  }
}

/** The server itself: what puts it into a namespace of its own stands above it, and passes no signal on. */
function innermost(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
  return child === undefined ? pid : innermost(child);
}

/** What it says later is read on, so that a full pipe never holds it up. */
async function untilListening(stream: ReadableStream<Uint8Array>, said: { text: string }): Promise<string> {
  const decoder = new TextDecoder();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void (async () => {
    for await (const piece of stream) {
      said.text += decoder.decode(piece, { stream: true });
      const url = /Listening on\s+(http:\S+)/.exec(said.text)?.[1];
      if (url !== undefined) resolve(url);
    }
    reject(new Error("it ended before it was ready"));
  })();
  return promise;
}
