import type { PastMessage } from "../responder.ts";
import type { CountTokens } from "./fitting.ts";
import { cutToFit } from "./fitting.ts";
import { fence } from "./harmless.ts";

/** How much is left of the room when some messages have to go. */
const KEPT_SHARE = 0.5;

/**
 * The newest part of a conversation that fits. When it does not fit any more, the oldest half goes at once: message by
 * message, the beginning of the prompt would be another one at every turn, and the model server would have to read all
 * of it again. What is kept is the same for the same beginning of a conversation, so nothing has to be remembered.
 */
export function fitHistory(
  history: readonly PastMessage[],
  tokens: number,
  messageTokens: number,
  count: CountTokens,
): PastMessage[] {
  const room = Math.floor(tokens * KEPT_SHARE) - messageTokens;
  if (room <= 0) return [];
  const messages = history.map(({ role, text: whole }) => {
    const text = fence(cutToFit(whole, room, (part) => count(fence(part))));
    return { message: { role, text }, tokens: count(text) + messageTokens };
  });
  let first = 0;
  let used = 0;
  for (const [index, { tokens: more }] of messages.entries()) {
    used += more;
    if (used <= tokens) continue;
    while (first < index && used > tokens * KEPT_SHARE) used -= messages[first++]?.tokens ?? 0;
  }
  const kept = messages.slice(first).map(({ message }) => message);
  // A conversation that begins with an answer confuses chat templates that expect turns to alternate.
  return kept[0]?.role === "assistant" ? kept.slice(1) : kept;
}
