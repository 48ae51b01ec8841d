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
}

/** Fails where the tests were not started by `make live`. */
export function realOllama(): RealOllamaHere {
  const { DOCENT_LIVE_URL: url, DOCENT_LIVE_PROGRAM: program, DOCENT_LIVE_MODELS: models } = process.env;
  if (url === undefined || program === undefined || models === undefined)
    throw new Error("these tests need a real Ollama; run: make live");
  return { url, program, models };
}

/** Another server with the same models, for a test that breaks it, or needs it to be set up in another way. */
export function startAnother(environment: Record<string, string> = {}): Promise<RealOllama> {
  const { program, models } = realOllama();
  return startRealOllama({ program, models, environment });
}
