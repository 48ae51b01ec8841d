import type { ChatOptions } from "../chat-options.ts";
import type { OllamaClient } from "../client/client.ts";

const ANSWER_TOKENS = 32;
const AT_ONCE_MAX = 4;
/** An answer in fewer pieces may have ended before another one could begin. */
const PIECES_MIN = 8;
const SENTENCE =
  "A reader of the documentation asks how to install the program, and how to set it up for a team. ";

/** How long one chat took. */
export interface ChatTimes {
  /** Until the first word, loading included. */
  firstWordMs: number;
  loadMs: number | undefined;
  promptTokens: number | undefined;
  readTokensPerSecond: number | undefined;
  writeTokensPerSecond: number | undefined;
}

type Client = Pick<OllamaClient, "chat">;

/** Asks for a short text. Prompts begin differently each time, so that the prompt cache does not help. */
export async function timeChat(client: Client, body: ChatOptions, signal: AbortSignal): Promise<ChatTimes> {
  const since = performance.now();
  let firstWordMs: number | undefined;
  for await (const line of client.chat(shortChat(body), signal)) {
    firstWordMs ??= performance.now() - since;
    if (!line.done) continue;
    const { load, read, write } = line.tookMs;
    return {
      firstWordMs,
      loadMs: load,
      promptTokens: line.promptTokens,
      readTokensPerSecond: perSecond(line.promptTokens, read),
      writeTokensPerSecond: perSecond(line.outputTokens, write),
    };
  }
  throw new Error("a chat ended without its last line");
}

/**
 * How many of several answers began before the first one ended: the order tells, however fast the machine is.
 * Undefined where the answers were too short to tell.
 */
export async function answersAtOnce(
  client: Client,
  body: ChatOptions,
  slots: number,
  signal: AbortSignal,
): Promise<{ asked: number; wrote: number } | undefined> {
  const asked = Math.min(slots, AT_ONCE_MAX);
  let wrote = 0;
  let isFirstOver = false;
  let shortest = Number.POSITIVE_INFINITY;
  const follow = async () => {
    let pieces = 0;
    for await (const { content, thinking } of client.chat(shortChat(body), signal)) {
      if (content === "" && thinking === "") continue;
      if (pieces === 0 && !isFirstOver) wrote += 1;
      pieces += 1;
    }
    isFirstOver = true;
    shortest = Math.min(shortest, pieces);
  };
  await Promise.all(Array.from({ length: asked }, follow));
  return shortest < PIECES_MIN ? undefined : { asked, wrote };
}

function shortChat(body: ChatOptions) {
  // About 300 tokens, at most half of the smallest context.
  const content = `${momentBackwards()} ${SENTENCE.repeat(12)}Describe what happens next.`;
  return {
    ...body,
    messages: [{ role: "user" as const, content }],
    options: { ...body.options, num_predict: Math.min(ANSWER_TOKENS, body.options.num_predict) },
  };
}

/** The time with its fastest-changing digits first. */
function momentBackwards(): string {
  const moment = performance.timeOrigin + performance.now();
  return [...moment.toFixed(3)].reverse().join("");
}

function perSecond(tokens: number | undefined, ms: number | undefined): number | undefined {
  return tokens === undefined || ms === undefined || ms <= 0 ? undefined : (tokens * 1000) / ms;
}
