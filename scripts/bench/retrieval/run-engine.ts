import { join } from "node:path";
import type { z } from "zod";
import { PYTHON_ENGINES } from "./python-engines.ts";
import type { RetrievalSpec } from "./spec.ts";

const WORKER = join(import.meta.dir, "worker.ts");

/** Runs one engine in a process of its own. Undefined where it did not finish in time. */
export async function runEngine<T>(
  spec: RetrievalSpec,
  schema: z.ZodType<T>,
  { secondsMax, python, profile }: { secondsMax: number; python?: string; profile?: string | undefined },
): Promise<T | undefined> {
  const program =
    PYTHON_ENGINES.has(spec.engine) && spec.work !== "vectors"
      ? [python ?? "python3", join(import.meta.dir, "engines.py")]
      : [
          process.execPath,
          ...(profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", profile]),
          WORKER,
        ];
  const child = Bun.spawn([...program, JSON.stringify(spec)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    timeout: secondsMax * 1000,
    killSignal: "SIGKILL",
  });
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (child.signalCode === "SIGKILL") return undefined;
  if (code !== 0) throw new Error(`${spec.engine} ended with ${code} at ${spec.work}`);
  return schema.parse(JSON.parse(out));
}
