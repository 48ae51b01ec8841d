import { constants } from "node:fs";
import { copyFile, mkdir, open, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { writeFileWhole } from "../../archive/files.ts";

/** One thing that was changed, and how it was before. */
const stepSchema = z.discriminatedUnion("kind", [
  /** `kept`: the copy of what was there; null where nothing was. */
  z.object({ kind: z.literal("file"), path: z.string(), kept: z.string().nullable() }),
  /** `before`: the name under which Ollama has the model that was there; null where none was. */
  z.object({ kind: z.literal("model"), name: z.string(), before: z.string().nullable() }),
]);
export type Step = z.infer<typeof stepSchema>;

const journalSchema = z.object({
  bundle: z.string(),
  /** `begun`: what was done is taken back. `done`: what is left over is taken away. */
  state: z.enum(["begun", "done"]),
  steps: z.array(stepSchema),
});
type Journal = z.infer<typeof journalSchema>;

/** What an installation has changed, on the disk before it is changed: it can be taken back after a crash too. */
export interface Undo {
  /** Keeps what is at a path, which may then be replaced or removed. */
  keep(path: string): Promise<void>;
  /** Notes a change of another kind, before it is made. */
  note(step: Step): Promise<void>;
  /** From here on the installation counts. */
  finish(): Promise<void>;
}

const JOURNAL = "journal.json";
const KEPT = "undo";

/** Begins an installation in a folder in which none is under way. */
export async function beginUndo(folder: string, bundle: string): Promise<Undo> {
  const journal: Journal = { bundle, state: "begun", steps: [] };
  await rm(join(folder, KEPT), { recursive: true, force: true });
  await mkdir(join(folder, KEPT), { recursive: true, mode: 0o700 });
  const write = () => writeWhole(join(folder, JOURNAL), JSON.stringify(journal));
  const note = async (step: Step) => {
    journal.steps.push(step);
    await write();
  };
  await write();
  return {
    note,
    async keep(path) {
      const kept = join(KEPT, String(journal.steps.length));
      const isThere = (await stat(path).catch(() => undefined)) !== undefined;
      if (isThere) await copyWhole(path, join(folder, kept));
      await note({ kind: "file", path, kept: isThere ? kept : null });
    },
    async finish() {
      journal.state = "done";
      await write();
    },
  };
}

/** What was begun in a folder and has not ended; undefined where nothing was. */
export async function journalIn(folder: string): Promise<Journal | undefined> {
  const text = await readFile(join(folder, JOURNAL), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError("conflict", `${join(folder, JOURNAL)} cannot be read.`, {
      hint: "An installation was broken off, and what it changed is in undo/ beside that file. Put it back by hand, and remove both.",
      cause,
    });
  }
}

/** Puts everything back as it was, the last change first. It may be broken off, and done again. */
export async function takeBack(
  folder: string,
  { steps }: Journal,
  removeModel: (step: Step & { kind: "model" }) => Promise<void>,
): Promise<void> {
  for (const step of steps.toReversed()) {
    if (step.kind === "model") await removeModel(step);
    else if (step.kept === null) await remove(step.path);
    else await putBack(join(folder, step.kept), step.path);
  }
  await clear(folder);
}

/** Where a file cannot be, there is none. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTDIR" && error.code !== "ENOENT") throw error;
  });
}

/** Moves a file, which needs no room on a full disk. It may have been moved before. */
async function putBack(kept: string, path: string): Promise<void> {
  try {
    await rename(kept, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return;
    if (code !== "EXDEV") throw error;
    await copyWhole(kept, path);
  }
  await syncFolder(dirname(path));
}

/** Removes what an installation leaves over. The journal goes last. */
export async function clear(folder: string): Promise<void> {
  await rm(join(folder, KEPT), { recursive: true, force: true });
  await rm(join(folder, JOURNAL), { force: true });
  await syncFolder(folder);
}

/** Copies a file so that the target is the old one or the new one, whole, whenever this is killed. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.partial`;
  await mkdir(dirname(to), { recursive: true });
  try {
    // A disk that can shares the blocks.
    await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
    await syncFile(unfinished);
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(to));
}

export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFileWhole(file, 0o600, (handle) => handle.writeFile(text));
  await syncFolder(dirname(file));
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
