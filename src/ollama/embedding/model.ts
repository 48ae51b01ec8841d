import { AppError } from "../../errors.ts";
import type { InstalledModel, OllamaClient, ShownModel } from "../client/client.ts";
import { isNamed, isRemote, trainedContext } from "../models/models.ts";

/** A larger num_batch than Ollama's default would be needed for more, and a text of more can kill the runner. */
const CONTEXT_TOKENS_MAX = 2048;
const CONTEXT_TOKENS_UNKNOWN = 512;
/** Models that say more than they were trained to read. MiniLM says 512, which is its table of positions. */
const READS_LESS: [name: RegExp, tokens: number][] = [[/minilm/i, 256]];

/** A model that can embed, and how it may be asked. */
export interface EmbedModel {
  name: string;
  /** Changes when another version of the model was pulled. */
  digest: string;
  /** Sent as num_ctx, always the same: another value would make Ollama load the model again. */
  contextTokens: number;
  /** How much of a text the model makes sense of. */
  readableTokens: number;
  prompts: EmbedPrompts;
  /** Ollama passes what it is told on to another machine. */
  remote: boolean;
}

/** Finds an installed model by name. Throws `unavailable` where it is not there or cannot embed. */
export async function findEmbedModel(
  client: Pick<OllamaClient, "version" | "tags" | "show">,
  wanted: string,
  signal: AbortSignal,
): Promise<EmbedModel> {
  // On the connect clock, so that an Ollama that is away costs no more than that.
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

/** Older servers give vectors of any model, and what a chat model gives is of no use for search. */
function onlyChats(installed: InstalledModel, shown: ShownModel): boolean {
  const capabilities = shown.capabilities ?? installed.capabilities ?? [];
  return capabilities.includes("completion") && !capabilities.includes("embedding");
}

function notInstalled(model: string): AppError {
  return new AppError("unavailable", `Ollama does not have the embedding model ${model}.`, {
    hint: `run: ollama pull ${model}`,
  });
}

/** The error for a model that gives no vectors. */
export function cannotEmbed(model: string, cause?: unknown): AppError {
  return new AppError("unavailable", `The model ${model} cannot embed.`, {
    hint: "name a model that can; for example, run: ollama pull nomic-embed-text",
    cause,
  });
}

/** What a model was trained to read before a passage, and before a question. */
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
 * By the model's name, the first that fits. Ollama sends the text as it is given, so what a model's card on Hugging
 * Face asks for is added here: nomic-ai/nomic-embed-text-v1.5, google/embeddinggemma-300m, Qwen/Qwen3-Embedding-0.6B,
 * Snowflake/snowflake-arctic-embed-l-v2.0 (2 says "query: ", 1 an English sentence), mixedbread-ai/mxbai-embed-large-v1,
 * BAAI/bge-large-en-v1.5 and bge-large-zh-v1.5 (bge-m3 wants nothing), intfloat/e5-large-v2,
 * intfloat/multilingual-e5-large-instruct. Models that are not here (all-minilm, granite, gte, jina) want nothing.
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

/** The prompts of a model, by the name under which Ollama has it. */
export function promptsFor(model: string): EmbedPrompts {
  const name = model.toLowerCase();
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? PLAIN;
}
