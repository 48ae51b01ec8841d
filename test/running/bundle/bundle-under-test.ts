import { createCipheriv, createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeBundle } from "../../../src/running/bundle/bundle.ts";
import type { BundleParts } from "../../../src/running/bundle/make.ts";

export const never = new AbortController().signal;
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

export function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Bytes without a pattern, and the same each time: where a file is cut depends on what is in it. */
export function bytesWithoutPattern(count: number, seed: string): Uint8Array {
  const key = createHash("sha256").update(seed).digest();
  return createCipheriv("aes-256-ctr", key, new Uint8Array(16)).update(new Uint8Array(count));
}

/** A model as Ollama keeps it: a manifest, its configuration, weights and a template. Returns the digest of its weights. */
export function writeModel(
  folder: string,
  name: string,
  weights: Uint8Array = bytesWithoutPattern(1_100_000, name),
): string {
  const layer = (kind: string, bytes: Uint8Array) => {
    write(join(folder, "blobs", `sha256-${sha256(bytes)}`), bytes);
    return { mediaType: kind, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  };
  const image = "application/vnd.ollama.image.";
  const manifest = {
    schemaVersion: 2,
    config: layer("application/vnd.docker.container.image.v1+json", Buffer.from("{}")),
    layers: [
      layer(`${image}model`, weights),
      layer(`${image}template`, Buffer.from("{{ .Prompt }}")),
      layer(`${image}params`, Buffer.from('{"temperature":0.2}')),
    ],
  };
  write(join(folder, "manifests/registry.ollama.ai/library", name, "latest"), JSON.stringify(manifest));
  return sha256(weights);
}

/** A bundle of a few small things. */
export async function makeSmall(file: string, parts: Partial<BundleParts> = {}) {
  return makeBundle(
    file,
    {
      docent: "0.1.0 (test)",
      at: Date.parse("2026-01-01T00:00:00Z"),
      binary: undefined,
      database: undefined,
      models: { folder: "", names: [] },
      texts: { LICENSE: "as you like", "docs/index.md": "# Docs\n" },
      since: undefined,
      privateKey: undefined,
      ...parts,
    },
    never,
  );
}

const MAY_BE_GONE = { throwIfNoEntry: false } as const;

/** What is there while a database is open: SQLite takes it away some time after it was closed. */
const isPassing = (path: string) =>
  /\.lock$|-shm$/.test(path) || (path.endsWith("-wal") && statSync(path, MAY_BE_GONE)?.size === 0);

/** Every file below a folder with what is in it, but for the lock, which holds nothing. */
export function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name), MAY_BE_GONE)?.isFile() && !isPassing(join(folder, name)))
      .map((name) => [name, sha256(readFileSync(join(folder, name)))]),
  );
}
