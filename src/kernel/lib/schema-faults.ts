import type { z } from "zod";
import type { FaultDetail } from "../errors.ts";

/** More faults than these help nobody, and a million of them would cost time and space. */
export const FAULTS_MAX = 20;
/** Names and messages may quote the input. */
const NAME_CHARACTERS_MAX = 100;
const NAMES_MAX = 20;
const MESSAGE_CHARACTERS_MAX = 500;

/** The first faults, in a sentence and by place. */
interface Faults {
  details: FaultDetail[];
  count: number;
}

/** The faults that a schema found, bounded. Each unknown name is reported at its own place. */
export function faultsIn({ issues }: Pick<z.ZodError, "issues">): Faults {
  const details: FaultDetail[] = [];
  let count = 0;
  for (const issue of issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : undefined;
    count += keys?.length ?? 1;
    const room = FAULTS_MAX - details.length;
    if (room === 0) continue;
    if (keys === undefined) details.push(fault(issue.path, issue.message));
    else for (const key of keys.slice(0, room)) details.push(fault([...issue.path, key], "is not known"));
  }
  return { details, count };
}

const fault = (path: readonly PropertyKey[], message: string): FaultDetail => ({
  path: showPath(path),
  message: shortened(message, MESSAGE_CHARACTERS_MAX),
});

/** A path as a person would write it: `messages[0].parts`. */
function showPath(path: readonly PropertyKey[]): string {
  return path
    .slice(0, NAMES_MAX)
    .map((key, index) =>
      typeof key === "number"
        ? `[${key}]`
        : `${index === 0 ? "" : "."}${shortened(String(key), NAME_CHARACTERS_MAX)}`,
    )
    .join("");
}

function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax).toWellFormed()}…`;
}
