import asset from "./builtin.bin" with { type: "file" };

/** The vectors that are inside the binary, made by scripts/embedder. */
export async function readBuiltinAsset(): Promise<Uint8Array> {
  return Bun.file(asset).bytes();
}
