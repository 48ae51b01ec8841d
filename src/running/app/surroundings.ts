import type { Environment } from "@docent/kernel/config/load";
import type { Config } from "@docent/kernel/config/settings";
import type { Clock } from "@docent/kernel/lib/clock";
import type { RandomBytes } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import type { KernelSeal } from "@docent/kernel/lib/seal/landlock";
import type { BuiltinEmbedder } from "@docent/models/builtin/builtin";

/** What a server can ask of the runtime that it runs in. */
export interface Runtime {
  /** From now on, compiles what runs often; it interprets it until then. */
  compileWhatRunsOften(): void;
  residentBytes(): number;
  /** Frees what is used no more, compiled code too where that is said, and gives it back. Nothing else runs meanwhile. */
  collect(options: { code: boolean }): void;
}

/** What the process brings: its settings, clock, randomness, log and environment. */
export interface Surroundings {
  config: Config;
  clock: Clock;
  randomBytes: RandomBytes;
  log: Log;
  /** The environment of the process: where git is, and the credentials of sources. */
  environment: Environment;
  /** The vectors inside the binary, where several servers of this process share them; without it, each opens its own. */
  builtin?: BuiltinEmbedder;
  /** For whom this process works, where nobody has signed in: for whoever started a command, or for a server. */
  runsAs: "command-line" | "server";
  /** The command that starts a process of this program which reads documents; without it they are read in this one. */
  documentReader?: readonly string[];
  /** What the kernel does to hold this process back; undefined where the settings do not seal it. */
  kernelSeal?: KernelSeal | undefined;
  /** Runs a command in a process of its own; without it, sources run in this one. */
  runSelf?: (words: string[], signal: AbortSignal) => Promise<void>;
  /** Aborted where the process is told to end. */
  stops?: AbortSignal | undefined;
  /** The same, for a command's results: their JSON. */
  askSelf?: (words: string[], signal: AbortSignal) => Promise<string>;
  /** Where the process is a server's own. */
  runtime?: Runtime | undefined;
}
