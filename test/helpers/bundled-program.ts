import { afterAll } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/**
 * The command that starts a program of this folder, bundled once for a file of tests: each start from the sources would read
 * and compile hundreds of files again.
 */
export async function bundledProgram(name: string): Promise<readonly string[]> {
  const path = folderOfFile();
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

/**
 * The same with its bytecode, as a program of its own: it starts in a third of the time, and to make it takes as long as some
 * thirty starts do.
 */
export async function compiledProgram(name: string): Promise<readonly string[]> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, name)],
    target: "bun",
    format: "esm",
    splitting: true,
    bytecode: true,
    compile: { outfile: join(folderOfFile(), "program") },
  });
  const entry = outputs.find(({ kind }) => kind === "entry-point");
  if (entry === undefined) throw new Error(`${name} could not be compiled`);
  return [entry.path];
}

function folderOfFile(): string {
  const { path } = temporaryDirectory();
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
