import type { Surroundings } from "../../src/app/surroundings.ts";
import { openParts } from "../../src/app.ts";
import { loadConfig } from "../../src/config/load.ts";
import { textToEmbed } from "../../src/ingest/vectors.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandomBytes } from "../../src/lib/ids.ts";
import { createLog } from "../../src/lib/log.ts";
import { NO_OLLAMA } from "./processes.ts";
import type { BenchPassage } from "./retrieval-spec.ts";

export const DOMAIN = "bench";
const EMBEDDED_AT_ONCE = 256;

/** Opens Docent's own parts on a data directory, isolated from this machine's settings. */
export function openBench(data: string) {
  const { config } = loadConfig({}, { data, ollama_host: NO_OLLAMA }, () => "");
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  const surroundings: Surroundings = {
    config,
    clock: systemClock,
    randomBytes: systemRandomBytes,
    log,
    environment: {},
  };
  return openParts(surroundings);
}

/** Searches what was indexed there, and lends its embedder to others. */
export async function openDocent(data: string) {
  const parts = await openBench(data);
  const site = (await parts.people.sites.list()).find(({ domain }) => domain === DOMAIN);
  const { signal } = new AbortController();
  return {
    async find(text: string, limit: number): Promise<string[]> {
      const { hits } = await parts.content.search.find({ siteId: site?.id ?? 0, text, pageSize: limit });
      return hits.map(({ path }) => path);
    },
    dimensions: async () => (await parts.content.embedder.describe(signal)).dimensions,
    async embed(passages: readonly BenchPassage[]): Promise<(Float32Array | undefined)[]> {
      const vectors: (Float32Array | undefined)[] = [];
      for (let at = 0; at < passages.length; at += EMBEDDED_AT_ONCE) {
        const texts = passages
          .slice(at, at + EMBEDDED_AT_ONCE)
          .map(({ title, headings, text }) => textToEmbed({ title, headings: [headings], text }));
        vectors.push(...(await parts.content.embedder.embed(texts, "passage", signal)));
      }
      return vectors;
    },
    embedQuestion: async (text: string) =>
      (await parts.content.embedder.embed([text], "question", signal))[0],
    close: () => parts.close(),
  };
}
