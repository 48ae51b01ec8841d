import asset from "./builtin.bin" with { type: "file" };

import type { ReadAsset } from "./builtin.ts";

/** The vectors that are inside the binary, made by scripts/embedder. */
export const readBuiltinAsset: ReadAsset = (bytesMax) => Bun.file(asset).slice(0, bytesMax).bytes();
