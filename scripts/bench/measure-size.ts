import { bestPacking, GZIP } from "../release/archive/packing.ts";
import type { Figure, Measure } from "./figures.ts";

/** Packs as the release does; where the command xz is not here, by gzip alone. */
export async function measureSize(binary: string): Promise<Measure> {
  const bytes = await Bun.file(binary).bytes();
  const best = bestPacking();
  const packed = async ({ pack }: typeof best) =>
    (await pack(bytes, { x64: process.arch === "x64" })).byteLength / 1_000_000;
  const byXz: Figure[] =
    best.name === "xz"
      ? [{ name: "Binary, packed", unit: "MB", values: [await packed(best)], aim: { below: 60 } }]
      : [];
  return {
    title: "Size",
    how: "The binary as built for this machine, and packed as in a release: by xz in the packages and in the archives that end in `.tar.xz`, and by gzip. Most of it is Bun itself.",
    figures: [
      { name: "Binary", unit: "MB", values: [bytes.byteLength / 1_000_000], aim: { below: 125 } },
      ...byXz,
      { name: "Binary, packed by gzip", unit: "MB", values: [await packed(GZIP)] },
    ],
  };
}
