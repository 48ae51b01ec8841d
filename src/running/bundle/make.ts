import { AppError } from "@docent/kernel/errors";
import { digestOf } from "../archive/files.ts";
import {
  BINARY_FILE,
  type BundleFile,
  type Manifest,
  manifestText,
  piecePath,
  SMALL_BYTES_MAX,
  sha256Of,
  sumsText,
} from "../archive/manifest.ts";
import { cutIntoPieces } from "../archive/pieces.ts";
import { signatureOf } from "../archive/signature.ts";
import { type Content, writeBundle } from "../archive/write.ts";
import { findModel } from "./model-files.ts";

/** What goes into a bundle. */
export interface BundleParts {
  /** The version of Docent that makes it. */
  docent: string;
  /** When it is made, in milliseconds. */
  at: number;
  /** The program, and what it is for. */
  binary: { file: string; bytes: number; platform: string | undefined } | undefined;
  /** A sound copy of the database that nobody else has open. */
  database: string | undefined;
  /** The folder in which Ollama keeps its models, and those that are wanted. */
  models: { folder: string; names: readonly string[] };
  /** Documentation, licences and bills of materials, by their paths. */
  texts: Readonly<Record<string, string>>;
  /** What the other side has already. */
  since: { id: string; manifest: Manifest } | undefined;
  /** In PEM; undefined where the bundle is not signed. */
  privateKey: string | undefined;
}

export interface MadeBundle {
  manifest: Manifest;
  /** The bytes of the files that it carries. */
  bytes: number;
}

/** Makes a bundle. Holds no file in memory. */
export async function makeBundle(
  target: string,
  parts: BundleParts,
  signal: AbortSignal,
): Promise<MadeBundle> {
  const database = parts.database === undefined ? undefined : await databaseOf(parts.database);
  const models = await Promise.all(parts.models.names.map((name) => findModel(parts.models.folder, name)));
  const contents = new Map<string, Content>([
    ...Object.entries(parts.texts).map(([path, text]): [string, Content] => [
      path,
      new TextEncoder().encode(text),
    ]),
    ...binaryOf(parts),
    ...(database?.files ?? []),
    ...models.flatMap(({ files }) => files.map(({ path, content }): [string, Content] => [path, content])),
  ]);
  const known = new Set(parts.since?.manifest.files.map(({ sha256 }) => sha256));
  const files: { file: BundleFile; content: Content }[] = [];
  for (const [path, content] of contents) {
    signal.throwIfAborted();
    const sha256 = await digestOfContent(content);
    const bytes = lengthOf(content);
    const isCarried = !(isLarge(path, bytes) && known.has(sha256));
    files.push({ file: { path, bytes, sha256, isCarried }, content });
  }
  checkBlobs(files.map(({ file }) => file));
  const manifest: Manifest = {
    format: 1,
    madeAt: new Date(parts.at).toISOString(),
    docent: parts.docent,
    platform: parts.binary?.platform ?? null,
    since: parts.since?.id ?? null,
    files: files.map(({ file }) => file),
    database: database?.listed ?? null,
    models: models.map(({ model }) => model),
  };
  const bytes = new TextEncoder().encode(manifestText(manifest));
  await writeBundle(target, {
    manifest: bytes,
    signature: parts.privateKey === undefined ? undefined : signatureOf(bytes, parts.privateKey),
    sums: new TextEncoder().encode(sumsText(manifest)),
    files,
    at: parts.at,
  });
  return { manifest, bytes: carriedBytes(manifest) };
}

export const carriedBytes = ({ files }: Pick<Manifest, "files">): number =>
  files.reduce((sum, { bytes, isCarried }) => sum + (isCarried ? bytes : 0), 0);

/**
 * What a bundle leaves out where the other side has it. The rest is small, and complete in each: Ollama gives no part of a
 * model back, and is told a template and parameters as text.
 */
const isLarge = (path: string, bytes: number) =>
  path === BINARY_FILE ||
  path.startsWith("database/") ||
  (path.startsWith("models/blobs/") && bytes > SMALL_BYTES_MAX);

function* binaryOf({ binary }: BundleParts): Generator<[string, Content]> {
  if (binary !== undefined) yield [BINARY_FILE, { file: binary.file, from: 0, bytes: binary.bytes }];
}

async function databaseOf(file: string) {
  const pieces = await cutIntoPieces(file);
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  const { sha256 } = await digestOf({ file, from: 0, bytes });
  return {
    listed: { bytes, sha256, pieces: pieces.map((piece) => piece.sha256) },
    files: pieces.map((piece): [string, Content] => [piecePath(piece.sha256), piece]),
  };
}

const lengthOf = (content: Content) => (content instanceof Uint8Array ? content.length : content.bytes);

async function digestOfContent(content: Content): Promise<string> {
  return content instanceof Uint8Array ? sha256Of(content) : (await digestOf(content)).sha256;
}

/** Raises `conflict` for a part of a model that is not what its name says: Ollama would refuse it on the other side. */
function checkBlobs(files: readonly BundleFile[]): void {
  const wrong = files.find(({ path, sha256 }) => path.startsWith("models/blobs/") && !path.endsWith(sha256));
  if (wrong === undefined) return;
  throw new AppError("conflict", `A part of a model is damaged in Ollama's folder: ${wrong.path}.`, {
    hint: "Remove the model from Ollama, and pull it again.",
  });
}
