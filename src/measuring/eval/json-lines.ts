import { AppError } from "@docent/kernel/errors";
import { jsonIn } from "@docent/kernel/text/json";
import type { z } from "zod";

const LINES_NAMED = 5;
const FAULTS_NAMED = 5;

/** Reads JSON lines. Every line must be valid; the first few that are not are named in the error. */
export function parseJsonLines<T>(text: string, schema: z.ZodType<T>, file: string): T[] {
  const values: T[] = [];
  const faults: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = schema.safeParse(jsonIn(line));
    if (parsed.success) values.push(parsed.data);
    else
      faults.push(
        `line ${index + 1}: ${parsed.error.issues.slice(0, FAULTS_NAMED).map(describe).join(", ")}`,
      );
  }
  if (faults.length === 0) return values;
  const more = faults.length > LINES_NAMED ? `\n  and ${faults.length - LINES_NAMED} more` : "";
  throw new AppError(
    "invalid_request",
    `${file} cannot be used:\n  ${faults.slice(0, LINES_NAMED).join("\n  ")}${more}`,
    { hint: "Each line is one JSON object: docent eval --help names its fields." },
  );
}

function describe({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 0 ? "it is no JSON object" : `${path.join(".")}: ${message}`;
}
