import type { Measure } from "./figures.ts";

export async function measureSize(binary: string): Promise<Measure> {
  const bytes = new Uint8Array(await Bun.file(binary).arrayBuffer());
  const packed = Bun.gzipSync(bytes, { level: 9 });
  return {
    title: "Size",
    how: "The binary as built for this machine, and compressed with gzip at its highest level. Most of it is Bun itself.",
    figures: [
      { name: "Binary", unit: "MB", values: [bytes.byteLength / 1_000_000], aim: { below: 125 } },
      { name: "Binary, packed", unit: "MB", values: [packed.byteLength / 1_000_000] },
    ],
  };
}
