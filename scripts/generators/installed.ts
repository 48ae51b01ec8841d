import { mkdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { makePythonEnvironment } from "../python-environment.ts";
import type { Judge } from "./judge.ts";

const CACHE = join(homedir(), ".cache", "docent-generators");

/** The folder of a generator, which is installed where it is not, or where other versions are wanted. */
export async function obtain(
  judge: Pick<Judge, "installedAs" | "name" | "pins" | "install">,
  untilMs: number,
): Promise<string> {
  const folder = join(CACHE, judge.installedAs ?? judge.name);
  const mark = Bun.file(join(folder, ".pins"));
  if ((await mark.exists()) && (await mark.text()) === judge.pins) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await judge.install(folder, untilMs);
  await Bun.write(mark, judge.pins);
  return folder;
}

/** Installs what comes from Python's registry. */
export async function installWithPip(folder: string, pins: string, untilMs: number): Promise<void> {
  const requirements = join(folder, "requirements.txt");
  await Bun.write(requirements, pins);
  await makePythonEnvironment(folder, requirements, { untilMs });
}

/** Installs what a `package.json` names from npm's registry. */
export async function installWithNpm(folder: string, pins: string, untilMs: number): Promise<void> {
  await Bun.write(join(folder, "package.json"), pins);
  await runBounded(["npm", "install", "--no-audit", "--no-fund"], { untilMs, folder });
}
