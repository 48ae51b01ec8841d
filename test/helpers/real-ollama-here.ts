import { type RealOllama, startRealOllama } from "./real-ollama.ts";

/** The models that `make live` has loaded. */
export const CHAT = "smollm2";
export const CHAT_OTHER = "gemma3";
export const EMBED = "all-minilm";

/** What `make live` has prepared for the tests that it runs. */
export interface RealOllamaHere {
  /** A server with the models, for all tests. */
  url: string;
  program: string;
  /** The folder with the models. */
  models: string;
  /** Whether its log tells, when asked to, when a prompt begins to be read, and how much of it was still in memory. */
  logsReading: boolean;
}

/** The environment in which a server's log tells that. */
export const LOGS_READING = { OLLAMA_DEBUG: "1" };

/** Fails where the tests were not started by `make live`. */
export function realOllama(): RealOllamaHere {
  const {
    DOCENT_LIVE_URL: url,
    DOCENT_LIVE_PROGRAM: program,
    DOCENT_LIVE_MODELS: models,
    DOCENT_LIVE_VERSION: version,
  } = process.env;
  if (url === undefined || program === undefined || models === undefined || version === undefined)
    throw new Error("these tests need a real Ollama; run: make live");
  // Later ones leave reading to another program, with a log of its own.
  const logsReading = Bun.semver.satisfies(version, "<0.30.0");
  return { url, program, models, logsReading };
}

/** Another server with the same models, for a test that breaks it, or needs it to be set up in another way. */
export function startAnother(environment: Record<string, string> = {}): Promise<RealOllama> {
  const { program, models } = realOllama();
  return startRealOllama({ program, models, environment });
}
