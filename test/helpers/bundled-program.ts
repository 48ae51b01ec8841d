import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/**
 * The command that starts a program of this folder, bundled once for a file of tests: each start from the sources would read
 * and compile hundreds of files again.
 */
export async function bundledProgram(name: string): Promise<readonly string[]> {
  const { path } = temporaryDirectory();
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, name)],
    target: "bun",
    // What a program imports late is loaded late here too.
    splitting: true,
    outdir: path,
  });
  const entry = outputs.find(({ kind }) => kind === "entry-point");
  if (entry === undefined) throw new Error(`${name} could not be bundled`);
  return [process.execPath, entry.path];
}
