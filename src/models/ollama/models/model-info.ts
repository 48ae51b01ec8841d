import type { InstalledModel, ShownModel } from "../client/client.ts";
import { type TokenFamily, tokenFamilyOf } from "../tokens/tokens.ts";
import { chooseContext, readModelShape } from "./context-size.ts";

/** A model that can answer, with how to ask it. */
export interface ModelInfo {
  name: string;
  /** Changes when another version of the model is pulled. */
  digest: string;
  /** Sent to the model as num_ctx in every call. */
  contextTokens: number;
  /** The number of tokens and what decided it, for people. */
  contextBecause: string;
  weightsBytes: number | undefined;
  /** The family of its tokenizer. */
  tokenizer: TokenFamily;
  vision: boolean;
  thinking: boolean;
  /** Whether its prompt ends with the beginning of a thought, which Ollama does not take out: only the end is written. */
  opensThought: boolean;
  /** Whether it says that it can call tools. */
  tools: boolean;
  /** Whether Ollama passes requests on to another machine. Never chosen unless named. */
  remote: boolean;
}

/** What limits a model's context besides the model itself. */
interface ContextLimits {
  /** The size that the setting asks for. */
  contextTokens: number;
  /** How many answers the server may write at the same time. */
  slots: number;
  /** The memory of the server's machine, where it is known. */
  memoryBytes: number | undefined;
}

/** A template that has the model go on behind the mark: at its end, or where the answer is put in. */
const OPENED_THOUGHT = /<think(?:ing)?>\s*(?:\{\{-?\s*end\s*-?\}\}\s*)*(?:\{\{-?\s*\.Response\s*-?\}\}|$)/i;

/** Combines an installed model's list entry with its description. */
export function describeModel(
  installed: InstalledModel,
  shown: ShownModel,
  { contextTokens: wanted, slots, memoryBytes }: ContextLimits,
): ModelInfo | undefined {
  if (!canChat(installed, shown)) return undefined;
  const capabilities = shown.capabilities ?? installed.capabilities ?? [];
  const trained = trainedContext(shown);
  const shape = readModelShape(installed, shown);
  const context = chooseContext({ wanted, trained, shape, memoryBytes, slots });
  return {
    name: installed.name,
    digest: installed.digest,
    contextTokens: context.tokens,
    contextBecause: context.because,
    weightsBytes: installed.size,
    tokenizer: tokenFamilyOf(shown),
    vision: capabilities.includes("vision"),
    thinking: capabilities.includes("thinking"),
    opensThought: !capabilities.includes("thinking") && OPENED_THOUGHT.test(shown.template),
    tools: capabilities.includes("tools"),
    remote: isRemote(installed) || isRemote(shown),
  };
}

/** Whether a name, with or without its tag, names this installed model. */
export function isNamed(installed: InstalledModel, name: string): boolean {
  return installed.name.toLowerCase() === tagged(name);
}

/** Whether two names, each with or without its tag, are of one model. */
export const isSameModel = (one: string, other: string) => tagged(one) === tagged(other);

function tagged(name: string): string {
  const hasTag = name.slice(name.lastIndexOf("/") + 1).includes(":");
  return (hasTag ? name : `${name}:latest`).toLowerCase();
}

/** Whether this list entry can be skipped without asking for its description. */
export function cannotChat(installed: InstalledModel): boolean {
  return isRemote(installed) || installed.capabilities?.includes("completion") === false;
}

function canChat(installed: InstalledModel, shown: ShownModel): boolean {
  const capabilities = shown.capabilities ?? installed.capabilities;
  if (capabilities !== undefined) return capabilities.includes("completion");
  // Servers before 0.6.4 do not list capabilities; there, models of BERT's family are embedders.
  const details = shown.details ?? installed.details;
  const families = [details?.family ?? "", ...(details?.families ?? [])];
  return !families.some((family) => family.toLowerCase().includes("bert"));
}

/** Whether Ollama passes this model's requests on to another machine. */
export function isRemote(model: { remote_model: string; remote_host: string }): boolean {
  return model.remote_model !== "" || model.remote_host !== "";
}

/** The longest text that the model was trained for, in tokens, where its description says so. */
export function trainedContext({ model_info: info }: ShownModel): number | undefined {
  const architecture = info?.["general.architecture"];
  if (typeof architecture !== "string") return undefined;
  const length = info?.[`${architecture}.context_length`];
  return typeof length === "number" && Number.isInteger(length) && length > 0 ? length : undefined;
}
