import { chmod, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../errors.ts";
import { digestOf } from "../archive/files.ts";
import { type Bundle, damaged } from "../archive/read.ts";
import { BINARY_FILE, type BundledModel, blobPath, MANIFEST_FILE, readManifest } from "../manifest.ts";
import { readModelManifest } from "../model-files.ts";
import { assemble, type Earlier, missingPiece } from "./database.ts";
import { type ModelPlace, writeSpan } from "./model-place.ts";
import { beginUndo, clear, copyWhole, journalIn, takeBack, type Undo } from "./undo.ts";

export { type ModelPlace, modelsFolder, type NewModel } from "./model-place.ts";

/** Where a bundle is installed. The caller has the data directory for itself. */
export interface InstallPlace {
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
  signal: AbortSignal;
  /** Told of each thing that begins. */
  onStep(says: string): void;
}

/** What an earlier installation that was broken off has come to. */
export type Recovered = "nothing" | "taken back" | "finished";

const STAGED = "staged";
const CURRENT = "current";
const DATABASE = "database.db";

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
export async function installBundle(bundle: Bundle, place: InstallPlace): Promise<void> {
  const { folder, models, onStep } = place;
  const earlier = await earlierIn(folder);
  await checkBase(bundle, place, earlier);
  await rm(join(folder, STAGED), { recursive: true, force: true });
  await mkdir(join(folder, STAGED), { recursive: true, mode: 0o700 });
  let undo: Undo | undefined;
  try {
    await stage(bundle, place, earlier);
    undo = await beginUndo(folder, bundle.id);
    await addModels(bundle, place, undo);
    await replaceDatabase(place, undo);
    await replaceBinary(bundle, place, undo);
    place.signal.throwIfAborted();
    await undo.finish();
  } catch (error) {
    onStep("Something went wrong: everything is put back as it was");
    // First, so that there is room again where the disk is full.
    await rm(join(folder, STAGED), { recursive: true, force: true });
    if (undo !== undefined) await putBack(place, error);
    throw error;
  }
  await models.settle((await journalIn(folder))?.steps ?? []);
  await makeCurrent(folder);
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

/** What was installed last, for bundles that build on it. */
async function earlierIn(folder: string): Promise<Earlier | undefined> {
  const text = await readFile(join(folder, CURRENT, MANIFEST_FILE), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return { manifest: readManifest(text), database: join(folder, CURRENT, DATABASE) };
}

/** Raises `conflict` before anything is changed where what the bundle builds on is not there. */
async function checkBase(
  { manifest }: Bundle,
  { binary, models }: InstallPlace,
  earlier: Earlier | undefined,
): Promise<void> {
  const left = manifest.files.filter(({ isCarried }) => !isCarried);
  const program = left.find(({ path }) => path === BINARY_FILE);
  if (program !== undefined && binary !== undefined && !(await isFile(binary, program.sha256)))
    throw notThere(`the program at ${binary} is another`);
  for (const { path, sha256 } of left)
    if (path.startsWith("models/") && !(await models.has(sha256)))
      throw notThere(`Ollama does not have ${path}`);
  const piece = missingPiece(manifest, earlier);
  if (piece !== undefined) throw notThere(`no bundle that was installed here had ${piece}`);
}

const notThere = (what: string) =>
  new AppError("conflict", `What this bundle builds on is not here: ${what}.`, {
    hint: "Install the bundle first that it was made --since, or make one without --since.",
  });

async function isFile(file: string, sha256: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && (await digestOf({ file, from: 0, bytes: found.size })).sha256 === sha256;
}

/** Unpacks what is small, and puts the database together. Nothing that is in use is touched. */
async function stage(bundle: Bundle, { folder, onStep }: InstallPlace, earlier: Earlier | undefined) {
  const at = (path: string) => join(folder, STAGED, path);
  for (const { path, sha256, isCarried } of bundle.manifest.files) {
    if (!isCarried || /^(?:bin|database|models)\//.test(path)) continue;
    await mkdir(dirname(at(path)), { recursive: true });
    await writeSpan(bundle.spanOf(path), { target: at(path), sha256, mode: 0o600 });
  }
  await Bun.write(at(MANIFEST_FILE), bundle.manifestBytes);
  if (bundle.manifest.database === null) return;
  // Also where the database stays as it is: the next bundle may build on this one.
  onStep("Putting the database together");
  await assemble(bundle, earlier, at(DATABASE));
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

async function replaceDatabase({ folder, database, onStep }: InstallPlace, undo: Undo): Promise<void> {
  const staged = join(folder, STAGED, DATABASE);
  if (database === undefined || (await stat(staged).catch(() => undefined)) === undefined) return;
  onStep("Replacing the database");
  for (const file of database.files) await undo.keep(file);
  const kept = database.restore(staged);
  if (kept !== undefined) await undo.note({ kind: "file", path: kept, kept: null });
}

/** Puts the new program in the place of the old, which is kept beside it. One that runs goes on with the old. */
async function replaceBinary(
  { manifest, spanOf }: Bundle,
  { binary, onStep }: InstallPlace,
  undo: Undo,
): Promise<void> {
  const program = manifest.files.find(({ path }) => path === BINARY_FILE);
  if (binary === undefined || program?.isCarried !== true || (await isFile(binary, program.sha256))) return;
  onStep(`Replacing ${binary}`);
  const previous = `${binary}.previous`;
  await undo.keep(previous);
  await undo.keep(binary);
  await mkdir(dirname(binary), { recursive: true });
  if ((await stat(binary).catch(() => undefined)) !== undefined) await copyWhole(binary, previous);
  await writeSpan(spanOf(BINARY_FILE), { target: binary, sha256: program.sha256, mode: 0o755 });
  // The process's own mask takes the right to run it from others.
  await chmod(binary, 0o755);
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
