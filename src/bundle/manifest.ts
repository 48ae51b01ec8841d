import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../errors.ts";

/** The first entry of a bundle: what it holds, and what it builds on. */
export const MANIFEST_FILE = "manifest.json";
/** The second, where the bundle is signed: Ed25519 over the bytes of the first. */
export const SIGNATURE_FILE = "manifest.sig";
export const SUMS_FILE = "SHA256SUMS";
export const BINARY_FILE = "bin/docent";
/** A manifest names each piece of the database: this is enough for some 60 GB. */
export const MANIFEST_BYTES_MAX = 64_000_000;

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

/** Raises `invalid_request` where a manifest needs what it does not list, or lists a place twice. */
function checkWhole({ files, database, models }: Manifest): void {
  const paths = new Set(files.map((file) => file.path));
  const needed = [
    ...new Set((database?.pieces ?? []).map(piecePath)),
    ...models.flatMap(({ manifest, layers }) => [manifest, ...layers.map(blobPath)]),
  ];
  const missing = needed.find((each) => !paths.has(each));
  if (paths.size === files.length && missing === undefined) return;
  throw new AppError(
    "invalid_request",
    `The bundle's manifest is not whole: ${missing ?? "a file is in it twice"}.`,
  );
}

export const piecePath = (sha256: string): string => `database/${sha256}`;
export const blobPath = (sha256: string): string => `models/blobs/sha256-${sha256}`;
export const sha256Of = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

/** What `sha256sum --check` takes, of all that the bundle carries. */
export const sumsText = ({ files }: Pick<Manifest, "files">): string =>
  files.flatMap(({ path, sha256, isCarried }) => (isCarried ? [`${sha256}  ${path}\n`] : [])).join("");
