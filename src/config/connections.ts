import type { FaultDetail } from "../errors.ts";

/** Read by Bun itself when the process starts, so that it can't be set from inside. */
const VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";
const BUN_DEFAULT = 256;
/** For asking Ollama how it is while every slot is taken: without an answer it would be thought to be away. */
const SPARE = 56;

/** The problem of more answers at the same time than Bun opens connections for: the others would only wait. */
export function tooManySlots(
  slots: number,
  servers: number,
  environment: Readonly<Record<string, string | undefined>>,
): FaultDetail | undefined {
  const needed = slots * servers + SPARE;
  const connections = Number(environment[VARIABLE] || BUN_DEFAULT);
  if (needed <= connections) return undefined;
  return {
    path: "model_slots",
    message: `needs ${VARIABLE} in the environment, at least ${needed}, to be ${slots}${servers > 1 ? ` on ${servers} servers` : ""}`,
  };
}
