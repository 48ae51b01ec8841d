import { AppError } from "../../errors.ts";
import type { OllamaClient } from "../client/client.ts";
import type { InstalledModel, ShownModel } from "../client/wire.ts";
import { isNamed, isRemote, trainedContext } from "../models/model-info.ts";
import { type EmbedPrompts, promptsFor } from "./prompts.ts";

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
