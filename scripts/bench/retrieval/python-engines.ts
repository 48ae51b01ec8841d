import { existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makePythonEnvironment } from "../../python-environment.ts";
import type { EngineName } from "./spec.ts";

/** The engines of `engines.py`. */
export const PYTHON_ENGINES: ReadonlySet<EngineName> = new Set(["bm25s", "tantivy", "lancedb"]);

const REQUIREMENTS = join(import.meta.dir, "requirements.txt");

/**
 * Installs the pinned libraries in the user's cache, with those of further files of requirements, once for each set of
 * versions, and returns the Python that has them. They ship in nothing. Raises NotHere where they are not available.
 */
export async function obtainPythonEngines(untilMs: number, further: readonly string[] = []): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-bench");
  const files = await Promise.all([REQUIREMENTS, ...further].map((file) => Bun.file(file).text()));
  const pinned = files.join("");
  const home = join(cache, new Bun.CryptoHasher("sha256").update(pinned).digest("hex").slice(0, 16));
  const python = join(home, "python", "bin", "python");
  if (existsSync(join(home, "done"))) return python;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  await Bun.write(join(home, "requirements.txt"), pinned);
  await makePythonEnvironment(join(home, "python"), join(home, "requirements.txt"), {
    untilMs,
    // All that they need is pinned, and what they only might use is left out.
    options: ["--no-deps"],
  });
  await Bun.write(join(home, "done"), "");
  return python;
}
