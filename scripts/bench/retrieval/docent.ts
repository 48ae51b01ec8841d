import { statSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../../src/kernel/config/load.ts";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import { systemRandomBytes } from "../../../src/kernel/lib/ids.ts";
import { createLog } from "../../../src/kernel/lib/log.ts";
import type { EmbedPurpose } from "../../../src/kernel/vectors/embedder.ts";
import type { Surroundings } from "../../../src/running/app/surroundings.ts";
import { openParts } from "../../../src/running/app.ts";
import { textToEmbed } from "../../../src/sites/ingest/vectors.ts";
import { NO_OLLAMA } from "../processes.ts";
import type { Engine } from "./engines.ts";
import type { BenchPassage, RetrievalSpec } from "./spec.ts";

export const DOMAIN = "bench";
const EMBEDDED_AT_ONCE = 256;

/**
 * Opens Docent's own parts on a data directory, isolated from this machine's settings; on a PostgreSQL database where one
 * is named.
 */
export function openBench(data: string, databaseUrl = "") {
  const { config } = loadConfig({}, { data, ollama_host: NO_OLLAMA, database_url: databaseUrl }, () => "");
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  const surroundings: Surroundings = {
    config,
    clock: systemClock,
    randomBytes: systemRandomBytes,
    log,
    environment: {},
    runsAs: "command-line",
  };
  return openParts(surroundings);
}

/** Searches what was indexed there, as for a reader who asks. */
export async function openDocent(data: string): Promise<Engine> {
  const parts = await openBench(data);
  const site = (await parts.people.sites.list()).find(({ domain }) => domain === DOMAIN);
  return {
    async find(text, limit) {
      const { hits } = await parts.content.search.find({
        audience: "everything",
        siteId: site?.id ?? 0,
        text,
        pageSize: limit,
      });
      return hits.map(({ path }) => path);
    },
    bytes: () => statSync(join(data, "docent.db")).size,
    close: () => parts.close(),
  };
}

/** Writes Docent's vectors of passages and questions, for a library that has no embedder of its own. */
export async function writeVectors(
  { data, vectors, questions }: RetrievalSpec,
  passages: AsyncIterable<BenchPassage>,
): Promise<{ dimensions: number }> {
  const parts = await openBench(data);
  const { embedder } = parts.content;
  const { signal } = new AbortController();
  const { dimensions } = await embedder.describe(signal);
  const writer = Bun.file(vectors).writer();
  const write = async (texts: string[], purpose: EmbedPurpose) => {
    for (const vector of await embedder.embed(texts, purpose, signal)) {
      const { buffer, byteOffset, byteLength } = vector ?? new Float32Array(dimensions);
      writer.write(new Uint8Array(buffer, byteOffset, byteLength));
    }
    await writer.flush();
  };
  let texts: string[] = [];
  for await (const { title, headings, text } of passages) {
    texts.push(textToEmbed({ title, headings: [headings], text }));
    if (texts.length < EMBEDDED_AT_ONCE) continue;
    await write(texts, "passage");
    texts = [];
  }
  await write(texts, "passage");
  await write(questions, "question");
  await writer.end();
  parts.close();
  return { dimensions };
}
