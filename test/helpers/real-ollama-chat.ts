import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import type { ChatBody, ChatMessage } from "../../src/models/ollama/client/chat.ts";
import { createOllamaClient, type OllamaClient } from "../../src/models/ollama/client/client.ts";
import { CHAT } from "./real-ollama-here.ts";

export const QUESTION = "How do I install a program on Linux?";

export const asks = (content: string): ChatMessage[] => [{ role: "user", content }];

/** The body of a chat whose answer is short, and the same each time. */
export function chatBody(
  messages: ChatMessage[],
  options: Partial<ChatBody["options"]> = {},
  model = CHAT,
): ChatBody {
  return {
    model,
    messages,
    think: false,
    keep_alive: 1800,
    options: { num_ctx: 1024, num_predict: 24, temperature: 0, repeat_penalty: 1.1, seed: 1, ...options },
  };
}

/** A client that waits as long as a small, busy machine needs. */
export function patientClient(url: string): OllamaClient {
  return createOllamaClient({
    seal: UNSEALED,
    baseUrl: url,
    connectMs: 30_000,
    firstByteMs: 120_000,
    idleMs: 60_000,
    metadataTimeoutMs: 30_000,
  });
}

/** Waits until something is so. The test's own time is the bound. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}
