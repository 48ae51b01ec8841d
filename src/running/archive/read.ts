import { stat } from "node:fs/promises";
import { AppError } from "@docent/kernel/errors";
import { digestOf, readSpan, type Span } from "./files.ts";
import {
  type BundleFile,
  MANIFEST_BYTES_MAX,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  SIGNATURE_FILE,
  SMALL_BYTES_MAX,
  SUMS_FILE,
  sha256Of,
  sumsText,
} from "./manifest.ts";
import { isSignedBy } from "./signature.ts";
import { BLOCK_BYTES, paddingOf, readTarHeader } from "./tar.ts";

/** A bundle whose manifest was read. Of the rest nothing is trusted before `check`. */
export interface Bundle {
  manifest: Manifest;
  /** The digest of the manifest, by which a later bundle names what it builds on. */
  id: string;
  manifestBytes: Uint8Array;
  isSigned: boolean;
  /** Whether the key's owner signed the manifest. */
  isSignedBy(publicKey: string): boolean;
  /** Where the content of a file lies that the bundle carries. */
  spanOf(path: string): Span;
  /** Reads a file that is small. Raises `invalid_request` where it is not what the manifest says, whatever `check` found. */
  read(path: string): Promise<Uint8Array>;
  /** Raises `invalid_request` where anything is not what the manifest says. */
  check(signal: AbortSignal): Promise<void>;
}

const SIGNATURE_BYTES = 64;

/** Reads the manifest of a bundle, and where its files lie. Raises `invalid_request` where they are not those of the manifest. */
export async function openBundle(file: string): Promise<Bundle> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new AppError("not_found", `There is no bundle ${file}.`);
  const spans = await spansOf(file, found.size);
  const manifestBytes = await read(spans, MANIFEST_FILE, MANIFEST_BYTES_MAX);
  const signature = spans.has(SIGNATURE_FILE)
    ? await read(spans, SIGNATURE_FILE, SIGNATURE_BYTES)
    : undefined;
  const manifest = readManifest(new TextDecoder().decode(manifestBytes));
  checkSpans(spans, manifest);
  const spanOf = (path: string) => {
    const span = spans.get(path);
    if (span === undefined) throw damaged(`${path} is not in it`);
    return span;
  };
  return {
    manifest,
    id: sha256Of(manifestBytes),
    manifestBytes,
    isSigned: signature !== undefined,
    isSignedBy: (publicKey) => signature !== undefined && isSignedBy(manifestBytes, signature, publicKey),
    spanOf,
    async read(path) {
      const bytes = await read(spans, path, SMALL_BYTES_MAX);
      if (sha256Of(bytes) !== manifest.files.find((each) => each.path === path)?.sha256)
        throw damaged(`${path} is not what the manifest says`);
      return bytes;
    },
    async check(signal) {
      const sums = await read(spans, SUMS_FILE, MANIFEST_BYTES_MAX);
      if (new TextDecoder().decode(sums) !== sumsText(manifest)) throw damaged(`${SUMS_FILE} is another`);
      for (const { path, sha256, isCarried } of manifest.files) {
        signal.throwIfAborted();
        if (isCarried && (await digestOf(spanOf(path))).sha256 !== sha256)
          throw damaged(`${path} is not what the manifest says`);
      }
    },
  };
}

export const damaged = (what: string) =>
  new AppError("invalid_request", `The bundle is damaged: ${what}.`, {
    hint: "Copy it again, or make it again.",
  });

/** Where each file lies, as the archive's headers say. */
async function spansOf(file: string, size: number): Promise<Map<string, Span>> {
  const spans = new Map<string, Span>();
  for (let at = 0; ; ) {
    const block = await whole({ file, from: at, bytes: BLOCK_BYTES });
    if (block.length < BLOCK_BYTES) throw damaged("it ends too early");
    const entry = readTarHeader(block);
    if (entry === undefined) return spans;
    const { path, bytes } = entry;
    if (spans.has(path)) throw damaged(`${path} is in it twice`);
    if (at + BLOCK_BYTES + bytes > size) throw damaged("it ends too early");
    spans.set(path, { file, from: at + BLOCK_BYTES, bytes });
    at += BLOCK_BYTES + bytes + paddingOf(bytes);
  }
}

/** What the manifest does not name is not looked at, and so must not be there. */
function checkSpans(spans: ReadonlyMap<string, Span>, { files }: Manifest): void {
  const carried = files.filter(({ isCarried }) => isCarried);
  const own = [MANIFEST_FILE, SIGNATURE_FILE, SUMS_FILE];
  const known = new Map(carried.map((file): [string, BundleFile] => [file.path, file]));
  for (const [path, { bytes }] of spans)
    if (!own.includes(path) && known.get(path)?.bytes !== bytes)
      throw damaged(`${path} is not what the manifest says`);
  const missing = carried.find(({ path }) => !spans.has(path));
  if (missing !== undefined) throw damaged(`${missing.path} is not in it`);
}

async function read(spans: ReadonlyMap<string, Span>, path: string, bytesMax: number): Promise<Uint8Array> {
  const span = spans.get(path);
  if (span === undefined) throw damaged(`${path} is not in it`);
  if (span.bytes > bytesMax) throw damaged(`${path} is too large`);
  return whole(span);
}

async function whole(span: Span): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readSpan(span)) pieces.push(piece);
  return Buffer.concat(pieces);
}
