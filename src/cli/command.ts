import type { ParseArgsOptionsConfig } from "node:util";
import type { LoadedConfig } from "@docent/kernel/config/load";
import type { SettingName } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { readIsoTime } from "@docent/kernel/lib/iso-time";
import type { Recorder } from "@docent/people/audit/audit";
import type { App } from "@docent/running/app";
import type { BackupContents } from "@docent/running/app/data-directory";
import type { MoveOptions } from "@docent/running/app/move";
import type { Parts } from "@docent/running/app/parts";
import type { Surroundings } from "@docent/running/app/surroundings";
import type { z } from "zod";
import type { ShowSelf } from "./run-self.ts";
import type { TemporaryFolder } from "./temporary-folders.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a command works with. */
export interface Context extends Means {
  /** Arguments that are not options. */
  words: string[];
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
  loaded: LoadedConfig;
  surroundings: Surroundings;
  terminal: Terminal;
  /** Aborted when the person presses Ctrl+C, or the system asks the process to end. */
  signal: AbortSignal;
  /** The command that starts this program again. */
  self: readonly string[];
  /** Runs another command in a process of its own, on this one's terminal. */
  showSelf: ShowSelf;
}

/** What a command opens and makes, which ends with it. */
export interface Means {
  /** Makes a folder that is gone when the process ends, if not before. */
  temporaryFolder(): TemporaryFolder;
  /** Opens the parts on the data directory. They are closed when the command ends. */
  openParts(): Promise<Parts>;
  /** Keeps in the audit log what the command has just done. */
  record: Recorder;
  startApp(): Promise<App>;
  restoreBackup(file: string, name?: string): Promise<string | undefined>;
  verifyBackup(file: string, name?: string): Promise<BackupContents>;
  moveEverything(to: string, options: MoveOptions): Promise<{ tables: number; rows: number }>;
}

/**
 * What `--json` prints: a value, or one on each line. Fields may be added; none is removed or changes its
 * meaning.
 */
export interface JsonOutput {
  shape: z.ZodType;
  isLines?: true;
}

export interface Command {
  options?: ParseArgsOptionsConfig;
  optionHelp?: Record<string, string>;
  /** Loaded for documentation alone where a command must start at once. */
  json: JsonOutput | (() => Promise<JsonOutput>);
  /** How many words it takes: the least and the most. */
  words: readonly [number, number];
  /**
   * The settings of the server that it reads, where others would look as if they were kept: of a command that keeps what
   * it is told. Left out where any may be given.
   */
  settings?: readonly SettingName[];
  /** Whether it may be the first one on a data directory, and makes that. Others say that nothing is there. */
  begins?: true;
  /** Returns the exit code; undefined means 0. */
  run(context: Context): Promise<number | undefined>;
}

/** What the list of commands says of one. */
export interface Listed {
  name: string;
  /** What follows the name. */
  usage: string;
  summary: string;
}

export type NamedCommand = Listed & Command;

/** A command with all that documentation says of it. */
export type DocumentedCommand = NamedCommand & { json: JsonOutput };

/** The value of an option, if it was given. */
export function textOption(context: Context, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of an option that may be given several times. */
export function textsOption(context: Context, name: string): string[] | undefined {
  const value = context.options[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}

/** The moment that an option names, if it was given. Raises `invalid_request` for what is none. */
export function momentOption(context: Context, name: string): number | undefined {
  const text = textOption(context, name);
  const at = text === undefined ? undefined : readIsoTime(text);
  if (text === undefined || at !== undefined) return at;
  throw new AppError(
    "invalid_request",
    `--${name} is a date such as 2026-01-31, or a time such as 2026-01-31T09:00:00Z, not ${text}.`,
  );
}

/** A word that is there because the command's `words` requires it. */
export function word(context: Context, index: number): string {
  const found = context.words[index];
  if (found === undefined) throw new Error(`word ${index} is missing`);
  return found;
}
