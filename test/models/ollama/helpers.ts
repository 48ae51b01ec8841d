import { AppError } from "../../../src/kernel/errors.ts";
import { createLog, type Log } from "../../../src/kernel/lib/log.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import type { ChatBody } from "../../../src/models/ollama/client/chat.ts";
import { createOllamaClient } from "../../../src/models/ollama/client/client.ts";
import type { ConnectionOptions } from "../../../src/models/ollama/client/connection.ts";
import type { ChatLine } from "../../../src/models/ollama/client/wire.ts";

export const never = new AbortController().signal;

export const body: ChatBody = {
  model: "tiny:latest",
  messages: [{ role: "user", content: "How do I install it?" }],
  think: false,
  keep_alive: 1800,
  options: { num_ctx: 4096, num_predict: 256, temperature: 0.2, repeat_penalty: 1.1 },
};

/** A client whose clocks are long, so that only a test that shortens one runs into it. */
export function clientOf(baseUrl: string, options: Partial<ConnectionOptions> = {}) {
  return createOllamaClient({
    seal: UNSEALED,
    baseUrl,
    connectMs: 3_600_000,
    firstByteMs: 3_600_000,
    idleMs: 3_600_000,
    metadataTimeoutMs: 3_600_000,
    retryDelayMs: 1,
    ...options,
  });
}

/** All of a stream, and the error that it ended with. */
export async function drain<T>(stream: AsyncIterable<T>): Promise<{ values: T[]; error: unknown }> {
  const values: T[] = [];
  try {
    for await (const value of stream) values.push(value);
    return { values, error: undefined };
  } catch (error) {
    return { values, error };
  }
}

export const textOf = (lines: ChatLine[]) => lines.map((line) => line.content).join("");

/** The error as ours, or the test fails with what it was. */
export function appError(error: unknown): AppError {
  if (!(error instanceof AppError)) throw new Error(`not an AppError: ${error}`);
  return error;
}

/** A log, and what was written to it. */
export function recordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    format: "json",
    clock: () => 0,
    write: (line) => lines.push(line),
  });
  return { log, lines };
}
