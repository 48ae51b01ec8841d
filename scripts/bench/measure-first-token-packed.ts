import { join } from "node:path";
import { buildPrompt } from "../../src/answering/answer/prompt/prompt.ts";
import type { Figure, Measure } from "./figures.ts";
import { firstToken, PROMPT_BUDGET } from "./live-chat.ts";
import { type Live, type OpenLive, withLive } from "./live-ollama.ts";
import type { Program } from "./processes.ts";
import { asBuilt, type ChatMessage, withWholePassages } from "./prompt-orders.ts";
import { QUESTIONS } from "./questions.ts";
import { openRequestRecorder } from "./recorded-requests.ts";
import { prepareSite } from "./site.ts";

const TITLE = "Packed passages, real Ollama";
/** Fewer questions, because a processor takes half a minute for five whole passages. */
const ASKED = QUESTIONS.slice(0, 7);
const RATIO_AIM = 0.5;

type Kind = "packed" | "whole";

interface Taken {
  tokens: number[];
  firstMs: number[];
}

export const measurePacked = (program: Program, directory: string, openLive: OpenLive): Promise<Measure> =>
  withLive(TITLE, openLive, async (live) => {
    const pairs = await promptPairs(program, join(directory, "packed"));
    const { packed, whole } = await inTurns(live, pairs);
    const ratios = (of: keyof Taken) =>
      packed[of].map((value, index) => value / (whole[of][index] ?? Number.NaN));
    return {
      title: TITLE,
      how: `${ASKED.length} questions about Docent's own documentation, alternately as the prompt that Docent builds and as the same prompt with all five passages whole; ${live.is}. A number before each prompt's first word keeps Ollama from reusing what it has read before. Tokens are Ollama's own count.`,
      figures: [
        ratio("Prompt tokens, packed over whole", ratios("tokens"), RATIO_AIM),
        ratio("First token, packed over whole", ratios("firstMs")),
        { name: "Prompt, packed", unit: "tokens", values: packed.tokens },
        { name: "Prompt, whole passages", unit: "tokens", values: whole.tokens },
        { name: "First token, packed", unit: "ms", values: packed.firstMs },
        { name: "First token, whole passages", unit: "ms", values: whole.firstMs },
      ],
    };
  });

const ratio = (name: string, values: number[], below?: number): Figure => ({
  name,
  unit: "" as const,
  values,
  ...(below === undefined ? {} : { aim: { below } }),
});

async function promptPairs(program: Program, data: string): Promise<Record<Kind, ChatMessage[]>[]> {
  await prepareSite(program, data);
  const recorder = await openRequestRecorder(data);
  try {
    const pairs: Record<Kind, ChatMessage[]>[] = [];
    for (const question of ASKED) {
      const request = await recorder.record(question, []);
      const prompt = buildPrompt(request, PROMPT_BUDGET);
      pairs.push({ packed: asBuilt(prompt), whole: asBuilt(withWholePassages(prompt, request.passages)) });
    }
    return pairs;
  } finally {
    recorder.close();
  }
}

async function inTurns(
  live: Live,
  pairs: readonly Record<Kind, ChatMessage[]>[],
): Promise<Record<Kind, Taken>> {
  const taken: Record<Kind, Taken> = {
    packed: { tokens: [], firstMs: [] },
    whole: { tokens: [], firstMs: [] },
  };
  let number = 100;
  // The first prompt loads the model.
  await firstToken(live, [{ role: "user", content: "Hello" }]);
  for (const [index, pair] of pairs.entries()) {
    const kinds: Kind[] = index % 2 === 0 ? ["packed", "whole"] : ["whole", "packed"];
    for (const kind of kinds) {
      const { firstMs, promptTokens } = await firstToken(live, unread(pair[kind], number++));
      taken[kind].tokens.push(promptTokens);
      taken[kind].firstMs.push(firstMs);
    }
  }
  return taken;
}

/** The same prompt with a new beginning, so that none of it is cached. */
function unread(messages: readonly ChatMessage[], number: number): ChatMessage[] {
  return messages.map((message, index) =>
    index === 0 ? { ...message, content: `${number}. ${message.content}` } : message,
  );
}
