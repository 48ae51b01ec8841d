import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { ChatLine } from "../client/wire.ts";

type Block = "text" | "reasoning";

/** Turns the lines of one reply into AI SDK parts; text and thoughts are blocks that open and close. */
export function createPartMaker(): { fromLine(line: ChatLine): Generator<LanguageModelV4StreamPart> } {
  let open: { block: Block; id: string } | undefined;
  let blocks = 0;

  function* close(): Generator<LanguageModelV4StreamPart> {
    if (open !== undefined) yield { type: `${open.block}-end`, id: open.id };
    open = undefined;
  }
  function* say(block: Block, delta: string): Generator<LanguageModelV4StreamPart> {
    if (delta === "") return;
    if (open?.block !== block) {
      yield* close();
      open = { block, id: `${block}-${++blocks}` };
      yield { type: `${block}-start`, id: open.id };
    }
    yield { type: `${block}-delta`, id: open.id, delta };
  }

  return {
    *fromLine(line) {
      yield* say("reasoning", line.thinking);
      yield* say("text", line.content);
      if (!line.done) return;
      yield* close();
      yield { type: "finish", finishReason: finishReason(line.doneReason), usage: usage(line) };
    },
  };
}

function finishReason(raw: string | undefined): LanguageModelV4FinishReason {
  const unified = raw === "length" ? "length" : raw === undefined || raw === "stop" ? "stop" : "other";
  return { unified, raw };
}

function usage({ promptTokens, outputTokens }: ChatLine): LanguageModelV4Usage {
  return {
    inputTokens: { total: promptTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
  };
}
