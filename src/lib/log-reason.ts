import { AppError } from "../errors.ts";
import type { LogFields } from "./log.ts";

/** Why something did not work, for the log: of what was foreseen its sentences, of anything else the whole error. */
export function reasonFields(error: unknown): LogFields {
  if (error instanceof AppError && error.code !== "internal")
    return { reason: error.message, hint: error.hint };
  if (error instanceof Error && error.name === "TimeoutError") return { reason: "it took too long" };
  return { error };
}
