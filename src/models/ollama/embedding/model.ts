import { AppError } from "@docent/kernel/errors";
import type { InstalledModel, OllamaClient, ShownModel } from "../client/client.ts";
import { isNamed, isRemote, trainedContext } from "../models/models.ts";

/** More would need a num_batch above Ollama's default, and a text with more tokens can kill the runner. */
const CONTEXT_TOKENS_MAX = 2048;
const CONTEXT_TOKENS_UNKNOWN = 512;
/**
 * Models that claim more than they were trained to read. MiniLM says 512, the size of its table of positions.
 */
const READS_LESS: [name: RegExp, tokens: number][] = [[/minilm/i, 256]];

/** A model that can embed, with how to ask it. */
export interface EmbedModel {
  name: string;
  /** Changes when another version of the model is pulled. */
  digest: string;
  /** Sent as num_ctx in every call: another value would make Ollama load the model again. */
  contextTokens: number;
  /** How much of a text the model was trained to read. */
  readableTokens: number;
  prompts: EmbedPrompts;
  /** Whether Ollama passes requests on to another machine. */
  remote: boolean;
}

/** Finds an installed model by name. Throws `unavailable` where it is missing or cannot embed. */
export async function findEmbedModel(
  client: Pick<OllamaClient, "version" | "tags" | "show">,
  wanted: string,
  signal: AbortSignal,
): Promise<EmbedModel> {
  // Uses the connect timeout, so that an absent Ollama costs no more than that.
  await client.version(signal);
  const installed = (await client.tags(signal)).find((model) => isNamed(model, wanted));
  if (installed === undefined) throw notInstalled(wanted);
  const shown = await client.show(installed.name, signal);
  if (onlyChats(installed, shown)) throw cannotEmbed(installed.name);
  const contextTokens = Math.min(CONTEXT_TOKENS_MAX, trainedContext(shown) ?? CONTEXT_TOKENS_UNKNOWN);
  const [, readable = contextTokens] = READS_LESS.find(([name]) => name.test(installed.name)) ?? [];
  return {
    name: installed.name,
    digest: installed.digest || installed.modified_at,
    contextTokens,
    readableTokens: Math.min(contextTokens, readable),
    prompts: promptsFor(installed.name),
    remote: isRemote(installed) || isRemote(shown),
  };
}

/** Older servers return vectors from any model, but a chat model's are of no use for search. */
function onlyChats(installed: InstalledModel, shown: ShownModel): boolean {
  const capabilities = shown.capabilities ?? installed.capabilities ?? [];
  return capabilities.includes("completion") && !capabilities.includes("embedding");
}

function notInstalled(model: string): AppError {
  return new AppError("unavailable", `Ollama does not have the embedding model ${model}.`, {
    hint: `run: ollama pull ${model}`,
  });
}

export function cannotEmbed(model: string, cause?: unknown): AppError {
  return new AppError("unavailable", `The model ${model} cannot embed.`, {
    hint: "name a model that can; for example, run: ollama pull nomic-embed-text",
    cause,
  });
}

/** The prefixes that a model was trained with for passages and questions. */
interface EmbedPrompts {
  passage: string;
  question: string;
}

const PLAIN: EmbedPrompts = { passage: "", question: "" };
const asQuestion = (question: string): EmbedPrompts => ({ passage: "", question });
const REPRESENT = asQuestion("Represent this sentence for searching relevant passages: ");
const INSTRUCT = asQuestion(
  "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
);

/**
 * By model name, first match. Ollama sends the text unchanged, so the prefix from a model's card on Hugging
 * Face is added here: nomic-ai/nomic-embed-text-v1.5, google/embeddinggemma-300m, Qwen/Qwen3-Embedding-0.6B,
 * Snowflake/snowflake-arctic-embed-l-v2.0 (2 says "query: ", 1 an English sentence),
 * mixedbread-ai/mxbai-embed-large-v1, BAAI/bge-large-en-v1.5 and bge-large-zh-v1.5 (bge-m3 needs none),
 * intfloat/e5-large-v2, intfloat/multilingual-e5-large-instruct. Other models (all-minilm, granite, gte,
 * jina) need none.
 */
const BY_NAME: [name: RegExp, prompts: EmbedPrompts][] = [
  [/nomic-embed-text/, { passage: "search_document: ", question: "search_query: " }],
  [/embedding-?gemma/, { passage: "title: none | text: ", question: "task: search result | query: " }],
  [/qwen3-embedding/, INSTRUCT],
  [/snowflake-arctic-embed(?:2|.*v2)/, asQuestion("query: ")],
  [/snowflake-arctic-embed|mxbai-embed|bge-(?:small|base|large)-en/, REPRESENT],
  [/bge-(?:small|base|large)-zh/, asQuestion("为这个句子生成表示以用于检索相关文章：")],
  [/bge-m3/, PLAIN],
  [/(?:^|[/-])bge-(?:small|base|large)/, REPRESENT],
  [/(?:^|[/-])e5-.*(?:instruct|mistral)/, INSTRUCT],
  [/(?:^|[/-])e5(?:[-:]|$)/, { passage: "passage: ", question: "query: " }],
];

/** The prefixes for a model, by its name in Ollama. */
export function promptsFor(model: string): EmbedPrompts {
  const name = model.toLowerCase();
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? PLAIN;
}
