import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { digestOf } from "../../archive/files.ts";
import {
  BINARY_FILE,
  type BundledModel,
  blobPath,
  DATABASE_FILE,
  MANIFEST_FILE,
} from "../../archive/manifest.ts";
import { type Bundle, damaged } from "../../archive/read.ts";
import { readModelManifest } from "../model-files.ts";
import { assemble, missingPiece } from "./database.ts";
import { CURRENT, checkNotOlder, type Earlier, installedIn, notThere, SIGNED_BY } from "./earlier.ts";
import { type ModelPlace, makeOpenFolder, writeSpan } from "./model-place.ts";
import { beginUndo, clear, copyWhole, journalIn, takeBack, type Undo } from "./undo.ts";

export { type Earlier, installedIn } from "./earlier.ts";
export { type ModelPlace, modelsFolder, type NewModel } from "./model-place.ts";

/** Where a bundle is installed. The caller has the data directory for itself. */
interface InstallPlace {
  /** What bundles leave in the data directory: what was installed last, and what is under way. */
  folder: string;
  /** Where the program goes; undefined where it stays as it is. */
  binary: string | undefined;
  /**
   * The files of the database, and what puts another in their place and says where it kept the old one; undefined where
   * it stays as it is.
   */
  database: { files: readonly string[]; restore(file: string): string | undefined } | undefined;
  models: ModelPlace;
  /** The fingerprint of the key that was asked for, and has signed it; undefined where any bundle is taken. */
  signedBy: string | undefined;
  /** Whether a bundle is taken that was made before the one that was installed here last. */
  takesOlder: boolean;
  signal: AbortSignal;
  /** Told of each thing that begins. */
  onStep(says: string): void;
}

/** What an earlier installation that was broken off has come to. */
export type Recovered = "nothing" | "taken back" | "finished";

/** What was replaced, and is still there. */
export interface Kept {
  /** The database that was here before. */
  database: string | undefined;
  /** The program that was here before. */
  binary: string | undefined;
}

const STAGED = "staged";

/** Ends what an earlier installation left: what counts is finished, and everything else is taken back. */
export async function recover({
  folder,
  models,
}: Pick<InstallPlace, "folder" | "models">): Promise<Recovered> {
  const journal = await journalIn(folder);
  if (journal === undefined) return "nothing";
  if (journal.state === "done") {
    await models.settle(journal.steps);
    await makeCurrent(folder);
    return "finished";
  }
  await rm(join(folder, STAGED), { recursive: true, force: true });
  await takeBack(folder, journal, models.takeBack);
  return "taken back";
}

/** Installs a bundle whose content was checked, whole or not at all. */
export async function installBundle(bundle: Bundle, place: InstallPlace): Promise<Kept> {
  const { folder, models } = place;
  const earlier = await installedIn(folder);
  checkNotOlder(bundle, earlier, place);
  await checkBase(bundle, place, earlier);
  await rm(join(folder, STAGED), { recursive: true, force: true });
  await mkdir(join(folder, STAGED), { recursive: true, mode: 0o700 });
  const kept = await change(bundle, place, earlier);
  await models.settle((await journalIn(folder))?.steps ?? []);
  await makeCurrent(folder);
  return kept;
}

/** Changes everything, or nothing. */
async function change(bundle: Bundle, place: InstallPlace, earlier: Earlier | undefined): Promise<Kept> {
  const { folder, signal } = place;
  let undo: Undo | undefined;
  try {
    await stage(bundle, place, earlier);
    undo = await beginUndo(folder, bundle.id);
    await addModels(bundle, place, undo);
    const database = await replaceDatabase(place, undo);
    const binary = await replaceBinary(bundle, place, undo);
    signal.throwIfAborted();
    await undo.finish();
    return { database, binary };
  } catch (error) {
    place.onStep("Something went wrong: everything is put back as it was");
    // First, so that there is room again where the disk is full.
    await rm(join(folder, STAGED), { recursive: true, force: true });
    if (undo !== undefined) await putBack(place, error);
    throw ofTheDisk(error);
  }
}

const DISK_FAULTS = new Set(["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "EIO"]);

/** What a disk refused is for the operator to mend; another error as it is. */
function ofTheDisk(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof AppError || !DISK_FAULTS.has(code)) return error;
  const message = `The bundle could not be written to the disk: ${error instanceof Error ? error.message : code}`;
  return new AppError("unavailable", message, {
    hint: "Check that the data directory, and the folder of the program (--to), can be written and that their disks have room.",
    cause: error,
  });
}

async function putBack({ folder, models }: InstallPlace, why: unknown): Promise<void> {
  try {
    const journal = await journalIn(folder);
    if (journal !== undefined) await takeBack(folder, journal, models.takeBack);
  } catch (cause) {
    const says = why instanceof Error ? why.message : String(why);
    throw new AppError(
      "unavailable",
      `The installation failed, and not everything could be put back: ${says}`,
      {
        hint: "docent bundle recover tries it again. Start no server before that.",
        cause,
      },
    );
  }
}

/** Raises `conflict` before anything is changed where what the bundle builds on is not there. */
async function checkBase(
  { manifest }: Bundle,
  { binary, models }: InstallPlace,
  earlier: Earlier | undefined,
): Promise<void> {
  const missing = (what: string) => notThere(what, manifest, earlier);
  const left = manifest.files.filter(({ isCarried }) => !isCarried);
  const program = left.find(({ path }) => path === BINARY_FILE);
  if (program !== undefined && binary !== undefined && !(await isFile(binary, program.sha256)))
    throw missing(`the program at ${binary} is another`);
  for (const { path, sha256 } of left)
    if (path.startsWith("models/") && !(await models.has(sha256)))
      throw missing(`Ollama does not have ${path}`);
  const piece = missingPiece(manifest, earlier);
  if (piece !== undefined) throw missing("parts of the database came with another bundle");
}

async function isFile(file: string, sha256: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && (await digestOf({ file, from: 0, bytes: found.size })).sha256 === sha256;
}

/** Unpacks what is small, and puts the database together. Nothing that is in use is touched. */
async function stage(
  bundle: Bundle,
  { folder, signedBy, onStep }: InstallPlace,
  earlier: Earlier | undefined,
) {
  const at = (path: string) => join(folder, STAGED, path);
  for (const { path, sha256, isCarried } of bundle.manifest.files) {
    if (!isCarried || /^(?:bin|database|models)\//.test(path)) continue;
    await mkdir(dirname(at(path)), { recursive: true });
    await writeSpan(bundle.spanOf(path), { target: at(path), sha256, mode: 0o600 });
  }
  await Bun.write(at(MANIFEST_FILE), bundle.manifestBytes);
  // Last, and always: a bundle may carry a file of that name.
  await Bun.write(at(SIGNED_BY), signedBy === undefined ? "" : `${signedBy}\n`);
  if (bundle.manifest.database === null) return;
  // Also where the database stays as it is: the next bundle may build on this one.
  onStep("Putting the database together");
  await assemble(bundle, earlier, at(DATABASE_FILE));
}

async function addModels(bundle: Bundle, place: InstallPlace, undo: Undo): Promise<void> {
  for (const model of bundle.manifest.models) {
    place.onStep(`Adding the model ${model.name}`);
    for (const sha256 of model.layers) {
      place.signal.throwIfAborted();
      if (!(await place.models.has(sha256)))
        await place.models.put(sha256, bundle.spanOf(blobPath(sha256)), undo);
    }
    await place.models.add(await newModel(bundle, model), undo);
  }
}

async function newModel(bundle: Bundle, { name, manifest: path, layers }: BundledModel) {
  const text = new TextDecoder().decode(await bundle.read(path));
  const manifest = readModelManifest(text, name);
  const parts = [manifest.config, ...manifest.layers].map(({ digest }) => digest.replace("sha256:", ""));
  // Ollama would list a model that it cannot load.
  if (!parts.every((part) => layers.includes(part)))
    throw damaged(`parts of the model ${name} are not in it`);
  return {
    name,
    place: path.replace(/^models\/manifests\//, ""),
    text,
    manifest,
    readLayer: async (sha256: string) => new TextDecoder().decode(await bundle.read(blobPath(sha256))),
  };
}

/** Where the old database is kept; undefined where there was none, or it stays. */
async function replaceDatabase(
  { folder, database, onStep }: InstallPlace,
  undo: Undo,
): Promise<string | undefined> {
  const staged = join(folder, STAGED, DATABASE_FILE);
  if (database === undefined || (await stat(staged).catch(() => undefined)) === undefined) return undefined;
  onStep("Replacing the database");
  for (const file of database.files) await undo.keep(file);
  const kept = database.restore(staged);
  if (kept !== undefined) await undo.note({ kind: "file", path: kept, kept: null });
  return kept;
}

/** Puts the new program in the place of the old, which is kept beside it. One that runs goes on with the old. */
async function replaceBinary(
  { manifest, spanOf }: Bundle,
  { binary, onStep }: InstallPlace,
  undo: Undo,
): Promise<string | undefined> {
  const program = manifest.files.find(({ path }) => path === BINARY_FILE);
  if (binary === undefined || program?.isCarried !== true || (await isFile(binary, program.sha256)))
    return undefined;
  onStep(`Replacing ${binary}`);
  const previous = `${binary}.previous`;
  await undo.keep(previous);
  await undo.keep(binary);
  await makeOpenFolder(dirname(binary));
  const isThere = (await stat(binary).catch(() => undefined)) !== undefined;
  if (isThere) await copyWhole(binary, previous);
  await writeSpan(spanOf(BINARY_FILE), { target: binary, sha256: program.sha256, mode: 0o755 });
  // The process's own mask takes the right to run it from others.
  await chmod(binary, 0o755);
  return isThere ? previous : undefined;
}

/** What was staged is what later bundles build on. It may be broken off, and done again. */
async function makeCurrent(folder: string): Promise<void> {
  const staged = join(folder, STAGED);
  if ((await stat(staged).catch(() => undefined)) !== undefined) {
    await rm(join(folder, CURRENT), { recursive: true, force: true });
    await rename(staged, join(folder, CURRENT));
  }
  await clear(folder);
}
