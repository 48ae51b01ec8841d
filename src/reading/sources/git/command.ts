import { AppError } from "@docent/kernel/errors";
import { maskCredentials } from "../../git-location.ts";
import type { GitEnvironment } from "./environment.ts";

const ERROR_BYTES_MAX = 64_000;
const GRACE_MS = 500;

/** What every run of git has in common. */
export interface Git {
  /** The program, found on the PATH. */
  program: string;
  environment: GitEnvironment;
  /** Ends a run that takes longer. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Texts that no message may hold. */
  secrets: readonly string[];
}

/** Lines that git adds to every complaint. */
const SAYS_NOTHING =
  /^(fatal: could not read from remote repository|please make sure you have the correct|and the repository exists)/i;

export type GitProcess = Bun.Subprocess<"pipe", "pipe", "pipe">;

/** What a repository may not turn on: programs of its own, other protocols, prompts, work in the background. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.askPass=",
  "protocol.ext.allow=never",
  "http.followRedirects=false",
  "http.lowSpeedLimit=1000",
  "http.lowSpeedTime=60",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "gc.autoDetach=false",
  "gc.pruneExpire=now",
  "maintenance.autoDetach=false",
].flatMap((setting) => ["-c", setting]);

/** Starts git. There is no shell, and it ends with the run that it belongs to, or after `timeoutMs`. */
export function startGit(git: Git, args: string[], timeoutMs?: number): GitProcess {
  git.signal.throwIfAborted();
  return Bun.spawn([git.program, ...SETTINGS, ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: git.environment,
    signal: git.signal,
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
}

/** How a run of git ended. */
export interface GitResult {
  ok: boolean;
  output: string;
  /** The last line that git said about what went wrong. */
  complaint: string;
}

const OUTPUT_BYTES_MAX = 1_000_000;

/** Runs git to its end, and gives what it wrote. */
export async function runGit(git: Git, args: string[]): Promise<GitResult> {
  const child = startGit(git, args, git.timeoutMs);
  child.stdin.end();
  const output: Uint8Array[] = [];
  const complaint = lastComplaint(git, child);
  let bytes = 0;
  for await (const part of child.stdout) {
    bytes += part.length;
    if (bytes > OUTPUT_BYTES_MAX) {
      child.kill();
      throw new AppError("too_large", "git wrote more than was expected of it.");
    }
    output.push(part);
  }
  const ok = await endOf(git, child);
  return { ok, output: Buffer.concat(output).toString("utf8"), complaint: await complaint() };
}

/** Waits for git to end; throws where it was told to stop, or took too long. */
export async function endOf(git: Git, child: GitProcess): Promise<boolean> {
  const code = await child.exited;
  git.signal.throwIfAborted();
  if (child.signalCode !== null)
    throw new AppError(
      "unavailable",
      `git did not finish within ${Math.round(git.timeoutMs / 1000)} seconds.`,
      {
        hint: "Readers still see what was there before. Is the repository's server slow, or the repository very large?",
      },
    );
  return code === 0;
}

/**
 * The last line of what a process says about what went wrong, without who signs in. To be asked for when it has ended:
 * a program that it started, such as ssh, may hold its output open for long after.
 */
export function lastComplaint({ secrets }: Git, child: GitProcess): () => Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const readAll = async () => {
    for await (const part of child.stderr)
      text = (text + decoder.decode(part, { stream: true })).slice(-ERROR_BYTES_MAX);
  };
  const isRead = readAll().catch(() => {});
  return async () => {
    await Promise.race([isRead, Bun.sleep(GRACE_MS)]);
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "" && !SAYS_NOTHING.test(line));
    const fatal = lines.findLast((line) => /^(fatal|error|remote: error):/i.test(line));
    const line = (fatal ?? lines.at(-1) ?? "it said nothing").replace(/\p{Cc}/gu, " ").trim();
    // A server may repeat what it was sent.
    const plain = secrets.reduce((masked, secret) => masked.replaceAll(secret, "…"), line);
    return maskCredentials(plain).slice(0, 500);
  };
}
