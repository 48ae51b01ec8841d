import { stat } from "node:fs/promises";
import { readSpan, type Span } from "../archive/files.ts";
import { type Manifest, readManifest, sha256Of } from "../archive/manifest.ts";
import { openBundle } from "../archive/read.ts";

export type { Manifest } from "../archive/manifest.ts";
export { type Bundle, openBundle } from "../archive/read.ts";
export { fingerprintOf, makeKeyPair } from "../archive/signature.ts";
export { cycloneDx, spdx } from "./bill/bill.ts";
export {
  type Earlier,
  installBundle,
  installedIn,
  type Kept,
  type ModelPlace,
  modelsFolder,
  type NewModel,
  type Recovered,
  recover,
} from "./install/install.ts";
export { type BundleParts, carriedBytes, type MadeBundle, makeBundle } from "./make.ts";

/** What a bundle builds on: an older bundle, or its manifest alone. */
export async function readBase(file: string): Promise<{ id: string; manifest: Manifest }> {
  const found = await stat(file).catch(() => undefined);
  const bytes = found?.isFile() === true ? await Bun.file(file).slice(0, 1).bytes() : new Uint8Array();
  // A manifest is JSON; an archive begins with the name of its first file.
  if (bytes[0] !== "{".charCodeAt(0)) return openBundle(file);
  const text = await Bun.file(file).text();
  return { id: sha256Of(text), manifest: readManifest(text) };
}

/** What a program is for, as far as its first bytes tell. */
export async function platformOf(file: string): Promise<string | undefined> {
  const head = Buffer.from(await Bun.file(file).slice(0, 20).bytes());
  if (head.length < 20) return undefined;
  if (head.readUInt32BE(0) === 0x7f454c46)
    return { 62: "linux-x64", 183: "linux-arm64" }[head.readUInt16LE(18)];
  if (head.readUInt32LE(0) === 0xfeedfacf)
    return { 16777223: "darwin-x64", 16777228: "darwin-arm64" }[head.readUInt32LE(4)];
  return head.toString("latin1", 0, 2) === "MZ" ? "win32-x64" : undefined;
}

/** A part of a file as it is sent. */
export function asStream(span: Span): ReadableStream<Uint8Array> {
  const pieces = readSpan(span);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  });
}
