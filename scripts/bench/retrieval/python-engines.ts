import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makePythonEnvironment } from "../../python-environment.ts";
import type { EngineName } from "./spec.ts";

/** The engines of `engines.py`. */
export const PYTHON_ENGINES: ReadonlySet<EngineName> = new Set(["bm25s", "tantivy", "lancedb"]);

const REQUIREMENTS = join(import.meta.dir, "requirements.txt");

/**
 * Installs the pinned libraries in the user's cache, once for each set of versions, and returns the Python
 * that has them. They ship in nothing. Raises NotHere where they are not available.
 */
export async function obtainPythonEngines(untilMs: number): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-bench");
  const pinned = await Bun.file(REQUIREMENTS).text();
  const home = join(cache, new Bun.CryptoHasher("sha256").update(pinned).digest("hex").slice(0, 16));
  const python = join(home, "python", "bin", "python");
  if (existsSync(join(home, "done"))) return python;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  cpSync(REQUIREMENTS, join(home, "requirements.txt"));
  await makePythonEnvironment(join(home, "python"), join(home, "requirements.txt"), untilMs);
  await Bun.write(join(home, "done"), "");
  return python;
}
