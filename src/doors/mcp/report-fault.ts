import { AppError, toAppError } from "@docent/kernel/errors";
import type { Log } from "@docent/kernel/lib/log";

/** The error that an agent may see; an internal fault appears only in the log. */
export function reportFault(error: unknown, log: Log): AppError {
  const known = toAppError(error);
  if (known.code === "internal") log.error("an MCP request failed", { error: known.cause ?? known });
  const seconds = known.retryAfterSeconds;
  if (seconds === undefined) return known;
  return new AppError(known.code, `${known.message} Wait ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}
