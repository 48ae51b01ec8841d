import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { makePythonEnvironment } from "../python-environment.ts";

/** The programs that generate and run clients. */
export interface ClientTools {
  /** The Python of the environment. */
  python: string;
  /** A `node_modules`. */
  node: string;
}

/**
 * The pinned versions of the tools and their dependencies. They ship in nothing, so they are not in
 * `package.json`.
 */
const PINNED = ["requirements.txt", "package.json", "bun.lock"];

/**
 * Installs the tools in the user's cache, once for each set of versions. Raises NotHere where they are not
 * available.
 */
export async function obtainClientTools(untilMs: number): Promise<ClientTools> {
  const texts = await Promise.all(PINNED.map((file) => Bun.file(join(import.meta.dir, file)).text()));
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-clients");
  const home = join(
    cache,
    new Bun.CryptoHasher("sha256").update(texts.join("\0")).digest("hex").slice(0, 16),
  );
  const tools = { python: join(home, "python", "bin"), node: join(home, "node_modules") };
  if (existsSync(join(home, "done"))) return tools;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  for (const file of PINNED) cpSync(join(import.meta.dir, file), join(home, file));
  await runBounded([process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"], {
    untilMs,
    folder: home,
  });
  await makePythonEnvironment(join(home, "python"), join(home, "requirements.txt"), { untilMs });
  await Bun.write(join(home, "done"), "");
  return tools;
}
