import type { ParseArgsOptionsConfig } from "node:util";
import type { z } from "zod";
import type { Parts } from "../app/parts.ts";
import type { Surroundings } from "../app/surroundings.ts";
import type { App } from "../app.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a command is given. */
export interface Context {
  /** Words that are no options. */
  words: string[];
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
  loaded: LoadedConfig;
  surroundings: Surroundings;
  terminal: Terminal;
  /** Aborted when the person presses Ctrl+C, or the system asks the process to end. */
  signal: AbortSignal;
  /** The parts on the data directory; closed when the command ends. */
  openParts(): Promise<Parts>;
  startApp(): Promise<App>;
  restoreBackup(file: string, name?: string): Promise<string | undefined>;
}

/** What `--json` prints: a value, or one on each line. Fields may be added to it; none goes, or changes its meaning. */
export interface JsonOutput {
  shape: z.ZodType;
  isLines?: true;
}

/** One command of the program. */
export interface Command {
  name: string;
  /** What comes behind the name. */
  usage: string;
  summary: string;
  /** What each option means, for the help. */
  options?: ParseArgsOptionsConfig;
  optionHelp?: Record<string, string>;
  json: JsonOutput;
  /** The words it takes, at least and at most. */
  words: readonly [number, number];
  /** Returns the exit code; 0 where it returns none. */
  run(context: Context): Promise<number | undefined>;
}

/** The text of an option, where it was given. */
export function textOption(context: Context, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === "string" ? value : undefined;
}

/** The texts of an option that may be given several times. */
export function textsOption(context: Context, name: string): string[] | undefined {
  const value = context.options[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}

/** A word that the command's `words` promise is there. */
export function word(context: Context, index: number): string {
  const found = context.words[index];
  if (found === undefined) throw new Error(`word ${index} is missing`);
  return found;
}
