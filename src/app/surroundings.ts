import type { Environment } from "../config/load.ts";
import type { Config } from "../config/settings.ts";
import type { Clock } from "../lib/clock.ts";
import type { RandomBytes } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";

/** What the process brings: its settings, its time and chance, and where it writes. */
export interface Surroundings {
  config: Config;
  clock: Clock;
  randomBytes: RandomBytes;
  log: Log;
  /** The process's own: where git is, and what sources sign in with. */
  environment: Environment;
  /** Runs a command in a process of its own; without it, runs of sources are done in this one. */
  runSelf?: (words: string[], signal: AbortSignal) => Promise<void>;
}
