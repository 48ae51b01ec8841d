import { totalmem } from "node:os";
import type { InstalledModel, ShownModel } from "../client/wire.ts";

const BYTES_PER_VALUE = 2;

/** What a model takes in memory. */
export interface ModelShape {
  weightsBytes: number;
  /** What is kept of each token that was read, of one conversation. At most so much: some models keep less of old ones. */
  bytesPerToken: number;
}

/**
 * The memory of the machine that runs the Ollama at an address, or undefined for another machine than this. All of it,
 * and not what is free now: every process must choose the same context for a model, or Ollama would load it again and
 * again.
 */
export function memoryBytesAt(baseUrl: string): number | undefined {
  const { hostname } = new URL(baseUrl);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  if (!isHere) return undefined;
  const totalBytes = totalmem();
  // 0, or far too much, where nothing is constrained.
  const constrainedBytes = process.constrainedMemory();
  return constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes;
}

/** What a model takes, as far as its description says enough. */
export function modelShape(
  { size: weightsBytes }: Pick<InstalledModel, "size">,
  { model_info: info }: Pick<ShownModel, "model_info">,
): ModelShape | undefined {
  const architecture = info?.["general.architecture"];
  if (weightsBytes === undefined || typeof architecture !== "string") return undefined;
  const number = (key: string) => positive(info?.[`${architecture}.${key}`]);
  const layers = number("block_count");
  const heads = number("attention.head_count");
  const width = number("embedding_length");
  const headLength = heads === undefined || width === undefined ? undefined : width / heads;
  const keyLength = number("attention.key_length") ?? headLength;
  const valueLength = number("attention.value_length") ?? headLength;
  const keptHeads =
    headsKept(info?.[`${architecture}.attention.head_count_kv`], layers) ?? times(heads, layers);
  if (keyLength === undefined || valueLength === undefined || keptHeads === undefined) return undefined;
  return { weightsBytes, bytesPerToken: keptHeads * (keyLength + valueLength) * BYTES_PER_VALUE };
}

/** The heads of all layers together: one number for each layer, or one for all. */
function headsKept(value: unknown, layers: number | undefined): number | undefined {
  if (!Array.isArray(value)) return times(positive(value), layers);
  const heads = value.map((item) => (item === 0 ? 0 : positive(item)));
  // A long list may have been left out, or cut short, by the server.
  if (heads.length === 0 || (layers !== undefined && heads.length < layers)) return undefined;
  return heads.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

const times = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : one * other;

const positive = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
