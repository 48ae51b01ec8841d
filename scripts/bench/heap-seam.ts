import { heapStats } from "bun:jsc";
import { writeFileSync } from "node:fs";

// Collects garbage on SIGUSR2, and writes what is left to the file in DOCENT_SOAK_HEAP. Loaded before
// Docent's source by `scripts/soak.ts --heap`; not part of the binary.

const file = process.env["DOCENT_SOAK_HEAP"] ?? "";

process.on("SIGUSR2", () => {
  Bun.gc(true);
  const { heapSize, extraMemorySize, objectCount, objectTypeCounts } = heapStats();
  const { external, arrayBuffers } = process.memoryUsage();
  writeFileSync(
    file,
    JSON.stringify({ heapSize, extraMemorySize, objectCount, external, arrayBuffers, objectTypeCounts }),
  );
});
