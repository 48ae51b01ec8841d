import { heapStats } from "bun:jsc";
import { writeFileSync } from "node:fs";

// Loaded before Docent's source by `scripts/soak.ts --heap`, and no part of the binary: on SIGUSR2 it collects what is
// garbage and writes what is left to the file that DOCENT_SOAK_HEAP names.

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
