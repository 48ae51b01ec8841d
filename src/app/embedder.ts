import type { Config } from "../config/settings.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../embed/builtin.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { openOllamaEmbedder } from "../ollama/embedding/embedding.ts";

/** The name that stands for the vectors inside the binary. */
const BUILTIN = "builtin";

/** What makes vectors, as the setting says. */
export function openEmbedder(config: Config, clock: Clock, log: Log): Embedder {
  if (config.embedding_model === BUILTIN) return createBuiltinEmbedder(readBuiltinAsset);
  const settings = {
    host: config.ollama_host,
    model: config.embedding_model,
    connectMs: config.connect_seconds * 1000,
    firstByteMs: config.first_byte_seconds * 1000,
    idleMs: config.idle_seconds * 1000,
    keepAliveSeconds: config.keep_alive_seconds,
  };
  return openOllamaEmbedder({ settings, clock, log });
}
