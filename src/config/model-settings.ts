import { choice, integer, list, type Setting, type Text, text } from "./setting.ts";

/** How Ollama is reached, which model answers, and how it is asked. */
export const MODEL_SETTINGS = {
  ollama_host: {
    ...text(
      "ollama_host",
      "http://127.0.0.1:11434",
      "The local Ollama, in any form that Ollama itself accepts.",
    ),
    env: "OLLAMA_HOST",
  } satisfies Text,
  ollama_urls: list(
    "ollama_urls",
    "Several Ollama servers that share the questions, each in any form that Ollama itself accepts. Empty: the one that ollama_host names.",
  ),
  model: text("model", "auto", "The chat model. auto takes the first installed one that can chat."),
  site_models: list(
    "site_models",
    "Models that a site may be given in place of that one. Empty: any that is installed and runs on the servers themselves.",
  ),
  fallback: choice(
    "fallback",
    ["extractive", "error"],
    "extractive",
    "What a reader gets when no model can answer: quotes from the docs, or an error.",
  ),
  preload: choice(
    "preload",
    ["on", "off"],
    "on",
    "Whether the model is loaded when the server starts, and when another one is chosen, so that the first reader does not wait for it.",
  ),
  thinking: choice(
    "thinking",
    ["off", "on"],
    "off",
    "Whether a model that can think before it answers does so. It makes readers wait longer.",
  ),
  context_tokens: integer(
    "context_tokens",
    8192,
    [1024, 1_048_576],
    "tokens",
    "The context to ask of the model (num_ctx), unless the model can do less.",
  ),
  answer_tokens: integer(
    "answer_tokens",
    1024,
    [16, 65_536],
    "tokens",
    "The longest answer the model may write.",
  ),
  passage_tokens: integer(
    "passage_tokens",
    1500,
    [100, 1_000_000],
    "tokens",
    "How much of the passages that were found the model reads, at most. More takes longer before the first word.",
  ),
  keep_alive_seconds: integer(
    "keep_alive_seconds",
    1800,
    [-1, 31_536_000],
    "seconds",
    "How long Ollama keeps the model in memory after a question. -1 is for ever.",
  ),
  model_slots: integer(
    "model_slots",
    1,
    [1, 4096],
    "",
    "How many answers each server writes at the same time. Above 200 of all servers, BUN_CONFIG_MAX_HTTP_REQUESTS in the environment must be 56 more.",
  ),
  queue_length: integer("queue_length", 16, [0, 100_000], "", "How many questions may wait for the model."),
  queue_seconds: integer(
    "queue_seconds",
    60,
    [1, 3600],
    "seconds",
    "How long a question may wait for the model before the fallback answers.",
  ),
  connect_seconds: integer(
    "connect_seconds",
    3,
    [1, 60],
    "seconds",
    "How long to wait for Ollama to take a call.",
  ),
  first_byte_seconds: integer(
    "first_byte_seconds",
    600,
    [1, 7200],
    "seconds",
    "How long the model may load and read before its first word.",
  ),
  idle_seconds: integer("idle_seconds", 120, [1, 3600], "seconds", "The longest pause inside an answer."),
} as const satisfies Record<string, Setting>;
