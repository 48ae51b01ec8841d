import { createHash } from "node:crypto";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";

/** The first entry of a bundle: what it holds, and what it builds on. */
export const MANIFEST_FILE = "manifest.json";
/** The second, where the bundle is signed: Ed25519 over the bytes of the first. */
export const SIGNATURE_FILE = "manifest.sig";
export const SUMS_FILE = "SHA256SUMS";
export const BINARY_FILE = "bin/docent";
/** A manifest names each piece of the database: this is enough for some 60 GB. */
export const MANIFEST_BYTES_MAX = 64_000_000;
/** A piece of a database is read whole. */
export const PIECE_BYTES_MAX = 1024 * 1024;
/** So is what a model says of itself: its manifest, template, parameters and licences. */
export const SMALL_BYTES_MAX = 1_000_000;

const FORMAT = 1;
const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** Below the folder that it is unpacked in, whatever system that is. */
const path = z
  .string()
  .max(250)
  .regex(/^[\w.@+-]+(?:\/[\w.@+-]+)*$/)
  .refine((text) => !text.split("/").some((part) => /^\.+$/.test(part)), "leads out of the bundle");

const fileSchema = z.object({
  path,
  bytes: z.int().min(0),
  sha256: digest,
  /** False for what the bundle that this one builds on has brought. */
  isCarried: z.boolean(),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  /** The version of Docent that made it. */
  docent: z.string(),
  /** What the binary is for; null where there is none, or where it is not known. */
  platform: z.string().nullable(),
  /** The digest of the manifest that this one builds on. */
  since: digest.nullable(),
  files: z.array(fileSchema),
  /** The database, as the pieces that it is put together from; each is a file, however often it stands here. */
  database: z.object({ bytes: z.int().min(0), sha256: digest, pieces: z.array(digest) }).nullable(),
  models: z.array(z.object({ name: z.string(), manifest: path, layers: z.array(digest) })),
});

export type BundleFile = z.infer<typeof fileSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type BundledModel = Manifest["models"][number];

export const manifestText = (manifest: Omit<Manifest, "format">): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 1)}\n`;

/** Raises `invalid_request` for what is no manifest. */
export function readManifest(text: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError("invalid_request", "The bundle's manifest cannot be read.", {
      hint: "It may be damaged, or made by a newer Docent: use the one that is inside of it, bin/docent.",
      cause,
    });
  }
  checkWhole(manifest);
  return manifest;
}

/** Raises `invalid_request` where a manifest needs what it does not list, or places something where it does not belong. */
function checkWhole(manifest: Manifest): void {
  const lack = lackOf(manifest);
  if (lack !== undefined)
    throw new AppError("invalid_request", `The bundle's manifest is not whole: ${lack}.`);
  const wrong =
    manifest.files.find((file) => !isInPlace(file))?.path ??
    misplacedModel(manifest) ??
    (isSumOfPieces(manifest) ? undefined : "the size of the database");
  if (wrong !== undefined)
    throw new AppError(
      "invalid_request",
      `The bundle's manifest is wrong: ${wrong} is not what belongs there.`,
    );
}

function lackOf({ files, database, models }: Manifest): string | undefined {
  const paths = new Set(files.map((file) => file.path));
  if (paths.size < files.length) return "a file is in it twice";
  const needed = [
    ...new Set((database?.pieces ?? []).map(piecePath)),
    ...models.flatMap(({ manifest, layers }) => [manifest, ...layers.map(blobPath)]),
  ];
  return needed.find((each) => !paths.has(each));
}

/** What a database is put together to, beside what came with a bundle: nothing that came stands in for it. */
export const DATABASE_FILE = "database.db";

/** The database is as large as its pieces: the disk is not filled with what nobody said would come. */
function isSumOfPieces({ files, database }: Manifest): boolean {
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const sum = database?.pieces.reduce((bytes, piece) => bytes + (bytesOf.get(piecePath(piece)) ?? 0), 0);
  return sum === database?.bytes;
}

/** What is found by its digest is that, whatever the manifest says of it: Ollama shares parts between models. */
function isInPlace({ path, bytes, sha256 }: BundleFile): boolean {
  if (path.toLowerCase() === DATABASE_FILE) return false;
  if (path.startsWith("database/")) return path === piecePath(sha256) && bytes <= PIECE_BYTES_MAX;
  if (path.startsWith("models/blobs/")) return path === blobPath(sha256);
  return !path.startsWith("models/manifests/") || bytes <= SMALL_BYTES_MAX;
}

/** A model is installed under the name that people are shown. */
const misplacedModel = ({ models }: Manifest) =>
  models.find(({ name, manifest }) => manifest !== modelManifestPath(name))?.manifest;

export const piecePath = (sha256: string): string => `database/${sha256}`;
export const blobPath = (sha256: string): string => `models/blobs/sha256-${sha256}`;
/** Raises `invalid_request` for what is no name of a model. */
export const modelManifestPath = (name: string): string => `models/manifests/${manifestPlace(name)}`;
export const sha256Of = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

/** What `sha256sum --check` takes, of all that the bundle carries. */
export const sumsText = ({ files }: Pick<Manifest, "files">): string =>
  files.flatMap(({ path, sha256, isCarried }) => (isCarried ? [`${sha256}  ${path}\n`] : [])).join("");

const DEFAULT_HOST = "registry.ollama.ai";
const DEFAULT_NAMESPACE = "library";

/** Where Ollama keeps a model's manifest, below its folder: `llama3.2` is registry.ollama.ai/library/llama3.2/latest. */
export function manifestPlace(name: string): string {
  const [, path = "", tag = "latest"] = /^(.*?)(?::([^/:]+))?$/.exec(name) ?? [];
  const parts = path.split("/");
  const [host, namespace, model] =
    parts.length === 1
      ? [DEFAULT_HOST, DEFAULT_NAMESPACE, parts[0]]
      : parts.length === 2
        ? [DEFAULT_HOST, parts[0], parts[1]]
        : parts.length === 3
          ? parts
          : [];
  const place = [host, namespace, model, tag];
  if (place.every((part) => part !== undefined && /^\w[\w.-]{0,79}$/.test(part))) return place.join("/");
  throw new AppError("invalid_request", `${name} is no name of a model.`, {
    hint: "Write it as ollama list shows it, such as llama3.2:3b.",
  });
}
