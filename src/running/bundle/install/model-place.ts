import { createHash } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { readSpan, type Span, writeAll, writeFileWhole } from "../../archive/files.ts";
import type { BundledModel } from "../../archive/manifest.ts";
import { damaged } from "../../archive/read.ts";
import type { ModelManifest } from "../model-files.ts";
import { type Step, type Undo, writeWhole } from "./undo.ts";

/** A model to be added, whose parts are there. */
export interface NewModel extends Pick<BundledModel, "name"> {
  /** Where Ollama keeps its manifest, below its folder. */
  place: string;
  text: string;
  manifest: ModelManifest;
  /** The content of one of its parts, which is small. */
  readLayer(sha256: string): Promise<string>;
}

/** Where models are added: an Ollama that is asked, or its folder. */
export interface ModelPlace {
  has(sha256: string): Promise<boolean>;
  /** Adds a part of a model. Raises an error where it is refused, or not what its digest says. */
  put(sha256: string, content: Span, undo: Undo): Promise<void>;
  /** Puts a model under its name. */
  add(model: NewModel, undo: Undo): Promise<void>;
  /** Takes that back. It may have been done before, or not have happened. */
  takeBack(step: Step & { kind: "model" }): Promise<void>;
  /** Ends what an installation needed that counts now. */
  settle(steps: readonly Step[]): Promise<void>;
}

/** The folder of an Ollama that is not asked. Parts come first: it removes at its start those that no manifest names. */
export function modelsFolder(folder: string): ModelPlace {
  const blob = (sha256: string) => join(folder, "blobs", `sha256-${sha256}`);
  return {
    has: async (sha256) => (await stat(blob(sha256)).catch(() => undefined))?.isFile() === true,
    async put(sha256, content, undo) {
      const target = blob(sha256);
      await undo.keep(target);
      await makeOpenFolder(dirname(target));
      await writeSpan(content, { target, sha256 });
      await chmod(target, READABLE);
    },
    async add({ place, text }, undo) {
      const target = join(folder, "manifests", place);
      await undo.keep(target);
      await makeOpenFolder(dirname(target));
      await writeWhole(target, text);
      await chmod(target, READABLE);
    },
    async takeBack({ name }) {
      throw pushed(name);
    },
    async settle(steps) {
      for (const step of steps) if (step.kind === "model" && step.before !== null) throw pushed(step.name);
    },
  };
}

/** What was changed in this folder is a file: another kind was changed elsewhere. */
const pushed = (name: string) =>
  new AppError("conflict", `The model ${name} was pushed to Ollama, and has to be settled there.`, {
    hint: "Run docent bundle recover without --models-folder, while Ollama runs.",
  });

/** Ollama runs as a user of its own, and this process's mask takes the right to read from others. */
const READABLE = 0o644;
const OPEN = 0o755;

/** Makes a folder and its parents, readable by everyone. */
export async function makeOpenFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, OPEN);
}

interface WrittenSpan {
  target: string;
  /** What it has to be: the bundle may be another since it was checked. */
  sha256: string;
  mode?: number;
}

/** Writes a part of a bundle as a file of its own, which is there when it is whole. Raises `invalid_request` where it is another. */
export async function writeSpan(
  content: Span,
  { target, sha256, mode = READABLE }: WrittenSpan,
): Promise<void> {
  const hash = createHash("sha256");
  await writeFileWhole(target, mode, async (handle) => {
    for await (const piece of readSpan(content)) {
      hash.update(piece);
      await writeAll(handle, piece);
    }
    if (hash.digest("hex") !== sha256)
      throw damaged(`what belongs to ${target} is not what the manifest says`);
  });
}
