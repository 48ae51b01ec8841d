import { join } from "node:path";
import { buildPrompt, type Prompt } from "../../src/answering/answer/prompt/prompt.ts";
import type { PastMessage } from "../../src/answering/answer/responder.ts";
import { type Measure, median, show } from "./figures.ts";
import { firstToken, PROMPT_BUDGET } from "./live-chat.ts";
import { type Live, type OpenLive, withLive } from "./live-ollama.ts";
import type { Program } from "./processes.ts";
import { asBuilt, type ChatMessage, passagesFirst } from "./prompt-orders.ts";
import { CONVERSATIONS } from "./questions.ts";
import { openRequestRecorder, type RequestRecorder } from "./recorded-requests.ts";
import { prepareSite } from "./site.ts";

const TITLE = "The next turn of a conversation, real Ollama";
/** An owner's text of a usual length. */
const INSTRUCTIONS =
  "Docent is the product, and is never called a bot. Speak to the reader as a colleague who runs servers. Name the command before you explain it. Prices, contracts and security incidents are for support@docs.example.com: say so, and answer nothing about them. Where a setting matters, name it as it stands in the configuration.";
/** An earlier answer of a usual length. */
const ANSWER =
  "Yes. Run the command on the machine that holds the data directory; the server may go on running. It prints what it did, and ends with 0. If it cannot, it says what to do instead, and nothing is changed. The settings that bear on it are in the configuration, each with its unit and its default.";

type Order = "built" | "passages";
const LAYOUT: Record<Order, (prompt: Prompt) => ChatMessage[]> = { built: asBuilt, passages: passagesFirst };
const ORDERS: readonly Order[] = ["built", "passages"];
type Taken = Record<Order, number[][]>;

export const measureNextTurn = (program: Program, directory: string, openLive: OpenLive): Promise<Measure> =>
  withLive(TITLE, openLive, async (live) => {
    const conversations = await prompts(program, join(directory, "next-turn"));
    const taken = await inTurns(live, conversations);
    const turns = ["first", "second", "third"];
    return {
      title: TITLE,
      how: `${CONVERSATIONS.length} conversations of three turns about Docent's own documentation, with an owner's text of ${INSTRUCTIONS.length} characters, alternately in two orders of the same texts. One is as Docent builds the prompt (rules and owner's text, conversation, passages, question), the other has the passages before the rules. Ollama keeps what it has read as far as a prompt begins like the last one, which is not prevented here. ${live.is}.`,
      figures: turns.flatMap((turn, index) => {
        const [built, passages] = ORDERS.map((order) =>
          taken[order].map((each) => each[index] ?? Number.NaN),
        );
        return [
          { name: `First token of the ${turn} turn, as built`, unit: "ms" as const, values: built ?? [] },
          {
            name: `First token of the ${turn} turn, passages first`,
            unit: "ms" as const,
            values: passages ?? [],
          },
          {
            name: `As built over passages first, ${turn} turn`,
            unit: "" as const,
            values: [median(built ?? []) / median(passages ?? [])],
            shown: `${show(median(built ?? []) / median(passages ?? []))} of the medians`,
          },
        ];
      }),
    };
  });

async function prompts(program: Program, data: string): Promise<Prompt[][]> {
  await prepareSite(program, data);
  const recorder = await openRequestRecorder(data);
  try {
    const conversations: Prompt[][] = [];
    for (const questions of CONVERSATIONS) conversations.push(await promptsOf(recorder, questions));
    return conversations;
  } finally {
    recorder.close();
  }
}

async function promptsOf(recorder: RequestRecorder, questions: readonly string[]): Promise<Prompt[]> {
  const past: PastMessage[] = [];
  const built: Prompt[] = [];
  for (const question of questions) {
    const request = await recorder.record(question, [...past]);
    built.push(buildPrompt({ ...request, instructions: INSTRUCTIONS }, PROMPT_BUDGET));
    past.push({ role: "user", text: question }, { role: "assistant", text: ANSWER });
  }
  return built;
}

async function inTurns(live: Live, conversations: readonly Prompt[][]): Promise<Taken> {
  const taken: Taken = { built: [], passages: [] };
  await firstToken(live, [{ role: "user", content: "Hello" }]);
  for (const [index, conversation] of conversations.entries()) {
    for (const order of index % 2 === 0 ? ORDERS : ORDERS.toReversed()) {
      const waits: number[] = [];
      for (const prompt of conversation) waits.push((await firstToken(live, LAYOUT[order](prompt))).firstMs);
      taken[order].push(waits);
    }
  }
  return taken;
}
