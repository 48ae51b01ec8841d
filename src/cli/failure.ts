import { type AppError, toAppError } from "@docent/kernel/errors";
import type { Terminal } from "./terminal/terminal.ts";
import { red } from "./terminal/text.ts";

interface Wanted {
  /** Prints one JSON object on a line, as the HTTP API does, instead of lines for people. */
  json: boolean;
  /** Prints the stack too. */
  debug: boolean;
}

/** Prints to the standard error why a command failed. */
export function printFailure(terminal: Terminal, error: unknown, wanted: Wanted): void {
  const known = toAppError(error);
  const message = known.code === "internal" ? `Internal error: ${String(known.cause)}` : known.message;
  const stack = wanted.debug ? stackOf(known) : undefined;
  if (wanted.json) {
    terminal.errJson(asJson(known, message, stack));
    return;
  }
  terminal.err([red("docent:"), ` ${message}\n`]);
  if (known.hint !== undefined) terminal.err(`  → ${known.hint}\n`);
  if (stack !== undefined) terminal.err(`${stack}\n`);
}

function asJson({ code, hint, details }: AppError, message: string, stack: string | undefined) {
  return { error: message, code, hint, ...(details.length > 0 ? { details } : {}), stack };
}

function stackOf(error: Error): string {
  const own = error.stack ?? String(error);
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own;
}
