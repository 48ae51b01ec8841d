import type { Clock } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, unknown>;

/** Writes events. Never give it a key, a thread id or a message's text above `debug`. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log with these fields on every line, such as a request's id. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  level: LogLevel;
  /** `json` is one object a line, `text` is for a person at a terminal. */
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
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const plain = known.map(([name, value]) => [name, describe(value)] as const);
  if (options.format === "json") {
    return `${JSON.stringify({ time, level, event, ...Object.fromEntries(plain) })}\n`;
  }
  const rest = plain.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return `${[time.slice(11, 19), level.padEnd(5), event, ...rest].join(" ")}\n`;
}

/** An error does not survive JSON.stringify: its stack, and those of its causes, are what the log is for. */
function describe(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const own = value.stack ?? `${value.name}: ${value.message}`;
  return value.cause === undefined ? own : `${own}\ncaused by: ${String(describe(value.cause))}`;
}
