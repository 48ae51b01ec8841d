import { AppError } from "@docent/kernel/errors";
import { faultToAppError, isPassing, OllamaFault } from "../faults.ts";
import type { Connection } from "./connection.ts";
import { withRetries } from "./retry.ts";
import { parseEmbeddings } from "./wire.ts";

/** The largest models give 4,096. */
export const DIMENSIONS_MAX = 16_384;
const BYTES_PER_VALUE_MAX = 24;
const BYTES_AROUND = 64_000;

interface EmbedBody {
  model: string;
  input: string[];
  /** In seconds; negative means for ever. */
  keep_alive: number;
  options: { num_ctx: number };
}

/** Ollama's reply for each text, in order: normally a vector, whose values are still unchecked. */
export type Embed = (body: EmbedBody, signal: AbortSignal) => Promise<unknown[][]>;

/** Embeds over /api/embed. Retries passing faults, but not those that would only be repeated. */
export function createEmbed(connection: Connection): Embed {
  const { baseUrl, firstByteMs, idleMs, replyBytesMax, attempts, retryDelayMs, random } = connection;

  const embedOnce = async (body: EmbedBody, signal: AbortSignal): Promise<unknown[][]> => {
    await connection.reach(signal);
    const reply = await connection.call({
      url: `${baseUrl}/api/embed`,
      method: "POST",
      // Some versions fail on text that is too long in spite of this; the others would fail without it.
      body: { ...body, truncate: true },
      signal,
      firstByte: {
        ms: firstByteMs,
        fault: () => new OllamaFault("first_byte_timeout", `nothing for ${firstByteMs} ms`),
      },
      idle: {
        ms: idleMs,
        fault: () => new OllamaFault("idle_timeout", `nothing for ${idleMs} ms in mid-reply`),
      },
    });
    const bytesMax = BYTES_AROUND + body.input.length * DIMENSIONS_MAX * BYTES_PER_VALUE_MAX;
    const vectors = parseEmbeddings(await reply.text(Math.min(replyBytesMax, bytesMax)));
    if (vectors.length === body.input.length) return vectors;
    throw new OllamaFault("protocol", `${vectors.length} vectors for ${body.input.length} texts`);
  };

  return async (body, signal) => {
    const allowed = (fault: unknown) => (isPassing(fault) ? attempts : 1);
    try {
      return await withRetries(() => embedOnce(body, signal), { allowed, retryDelayMs, random, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof AppError ? error : faultToAppError(error, { baseUrl, model: body.model });
    }
  };
}
