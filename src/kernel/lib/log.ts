import { AppError } from "../errors.ts";
import type { Clock } from "./clock.ts";
import { escapeMark, printableJson } from "./printable.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, unknown>;

const OWN_NAMES = new Set(["time", "level", "event"]);
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const CAUSES_MAX = 10;

/** Writes events. Never give it a key, a thread id or a message's text above `debug`. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log with these fields on every line, such as a request's id. */
  with(fields: LogFields): Log;
}

interface LogOptions {
  level: LogLevel;
  /** `json` writes one object a line, `text` is for a person at a terminal. */
  format: "json" | "text";
  clock: Clock;
  write: (line: string) => void;
}

export function createLog(options: LogOptions, common: LogFields = {}): Log {
  const least = LOG_LEVELS.indexOf(options.level);
  const at = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < least) return () => {};
    return (event: string, fields: LogFields = {}) =>
      options.write(render(options, level, event, { ...common, ...fields }));
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => createLog(options, { ...common, ...fields }),
  };
}

function render(options: LogOptions, level: LogLevel, event: string, fields: LogFields): string {
  const time = new Date(options.clock()).toISOString();
  const known = Object.entries(fields).filter(([name, value]) => value !== undefined && !OWN_NAMES.has(name));
  if (options.format === "json") {
    const own = Object.entries({ time, level, event });
    const members = [...own, ...known].map(([name, value]) => `${toJson(name)}:${toJson(value)}`);
    // Logs are also followed at a terminal, with tail or journalctl.
    return `{${printableJson(members.join(","))}}\n`;
  }
  const rest = known.map(([name, value]) => `${name}=${toText(value)}`);
  return `${[time.slice(11, 19), level.padEnd(5), event, ...rest].join(" ")}\n`;
}

/** JSON of any value. A value that JSON cannot express must not lose the line or break the logged request. */
function toJson(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, each) => (each instanceof Error ? describe(each) : plain(each))) ?? "null"
    );
  } catch {
    return '"[unreadable]"';
  }
}

const plain = (value: unknown) => (typeof value === "bigint" ? String(value) : value);

/** A value for a terminal: its text can neither start a line nor control the terminal. */
function toText(value: unknown): string {
  if (value instanceof Error)
    return describe(value).replace(CONTROL, (mark) => (mark === "\n" ? mark : escapeMark(mark)));
  if (typeof value === "string" && /^[^\s"]+$/.test(value) && value.search(CONTROL) < 0) return value;
  return toJson(value).replace(CONTROL, escapeMark);
}

/** An error as text, with its stack and those of its causes, which JSON.stringify drops. */
function describe(error: Error, depth = 0): string {
  const { cause, stack = `${error.name}: ${error.message}` } = error;
  if (cause === undefined || depth === CAUSES_MAX) return stack;
  const reason =
    cause instanceof Error ? describe(cause, depth + 1) : typeof cause === "string" ? cause : toJson(cause);
  return `${stack}\ncaused by: ${reason}`;
}

const EVENTS_MAX = 100;

/**
 * The same log, writing each warning at most once in `everyMs`: a fault in every request would drown the
 * rest.
 */
export function limitWarnings(log: Log, { everyMs, clock }: { everyMs: number; clock: Clock }): Log {
  const writtenAt = new Map<string, number>();
  return {
    ...log,
    warn(event: string, fields?: LogFields) {
      const last = writtenAt.get(event);
      if (last !== undefined && clock() - last < everyMs) return;
      if (writtenAt.size >= EVENTS_MAX) writtenAt.clear();
      writtenAt.set(event, clock());
      log.warn(event, fields);
    },
  };
}

/** Why something failed, for the log: the message and hint of an expected error, all of any other. */
export function reasonFields(error: unknown): LogFields {
  if (error instanceof AppError && error.code !== "internal")
    return { reason: error.message, hint: error.hint };
  if (error instanceof Error && error.name === "TimeoutError") return { reason: "it took too long" };
  return { error };
}

/** Logs what failed: a warning where it is known that something else is away, an error where the fault may be ours. */
export function logFailure(log: Log, event: string, error: unknown, fields: LogFields = {}): void {
  const isAway = error instanceof AppError && error.code === "unavailable";
  if (isAway) log.warn(event, { ...fields, ...reasonFields(error), cause: String(error.cause) });
  else log.error(event, { ...fields, error });
}
