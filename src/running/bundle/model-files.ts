import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import {
  type BundledModel,
  blobPath,
  manifestPlace,
  modelManifestPath,
  SMALL_BYTES_MAX,
} from "../archive/manifest.ts";
import type { Content } from "../archive/write.ts";

const layer = z.object({
  mediaType: z.string(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  size: z.int().min(0),
});
/** What Ollama keeps of a model: the digests of what it is put together from. */
const modelManifestSchema = z.looseObject({ config: layer, layers: z.array(layer) });
export type ModelManifest = z.infer<typeof modelManifestSchema>;

/** Raises `invalid_request` for what is no manifest of Ollama's. */
export function readModelManifest(text: string, name: string): ModelManifest {
  try {
    return modelManifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError("invalid_request", `Ollama's manifest of ${name} cannot be read.`, { cause });
  }
}

/** A model as it lies in a folder of Ollama's. */
interface FoundModel {
  model: BundledModel;
  /** Its files by their paths in the bundle. */
  files: { path: string; content: Content }[];
}

/** Finds a model in Ollama's folder. Raises `not_found` where it is not there, or not whole. */
export async function findModel(folder: string, name: string): Promise<FoundModel> {
  const place = manifestPlace(name);
  const file = join(folder, "manifests", place);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true || found.size > SMALL_BYTES_MAX)
    throw new AppError("not_found", `There is no model ${name} in ${folder}.`, {
      hint: "ollama list names those that are there. Ollama may keep them elsewhere: name that folder with --models-folder.",
    });
  const bytes = await readFile(file);
  const { config, layers } = readModelManifest(bytes.toString("utf8"), name);
  const digests = [...new Set([config, ...layers].map(({ digest }) => digest.replace("sha256:", "")))];
  const blobs = await Promise.all(digests.map((digest) => findBlob(folder, name, digest)));
  const manifest = modelManifestPath(name);
  return {
    model: { name, manifest, layers: digests },
    files: [{ path: manifest, content: new Uint8Array(bytes) }, ...blobs],
  };
}

async function findBlob(folder: string, name: string, digest: string) {
  const file = join(folder, "blobs", `sha256-${digest}`);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === true)
    return { path: blobPath(digest), content: { file, from: 0, bytes: found.size } };
  throw new AppError("not_found", `A part of the model ${name} is not in ${folder}: sha256-${digest}.`, {
    hint: "ollama pull brings what is missing.",
  });
}
