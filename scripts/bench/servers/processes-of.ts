import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A process and those that it has started, as PostgreSQL has one for each connection. */
export function processesOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  const started = readdirSync(threads).flatMap((thread) =>
    readFileSync(join(threads, thread, "children"), "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
  return [pid, ...started];
}
