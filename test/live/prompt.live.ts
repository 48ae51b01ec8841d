import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../src/models/ollama/client/chat.ts";
import { question } from "../helpers/docent.ts";
import type { RealOllama } from "../helpers/real-ollama.ts";
import { chatBody, patientClient } from "../helpers/real-ollama-chat.ts";
import {
  ask,
  CONTEXT_TOKENS,
  createStage,
  hasLogged,
  INSTALL,
  INSTALL_OTHER,
  nextQuestion,
  type StoredTurn,
  turnsOf,
} from "../helpers/real-ollama-docent.ts";
import { CHAT, CHAT_OTHER, LOGS_READING, realOllama } from "../helpers/real-ollama-here.ts";
import { never } from "../models/ollama/helpers.ts";

const { url, logsReading } = realOllama();
const stage = createStage();
/** Whatever is asked, the model is. */
const NO_GATE = { relevance_min: "0" };
/** The part by which the estimates for a model may be too low that has not read anything yet. */
const MARGIN_OF_UNKNOWN = 0.1;
/** Languages, and commands, whose words are not alike to a tokenizer. */
const ALL_KINDS = [
  INSTALL,
  "Wie installiere ich Acme unter Windows 10?",
  "如何在 Linux 上安装 Acme？",
  "Does `sh install.sh --prefix=/opt/acme && echo $?` need root?",
  "Как установить Acme на macOS с помощью brew?",
];
/** Template words between the messages, and before the answer. */
const TEMPLATE_TOKENS = 12;

describe.each([CHAT, CHAT_OTHER])("what %s reads", (model) => {
  test("is within the margin of what was estimated, and after a few replies within a quarter of it", async () => {
    const docent = await stage.docent(url, { ...NO_GATE, model, answer_tokens: "16", passage_tokens: "100" });
    for (const text of [...ALL_KINDS, INSTALL_OTHER]) await ask(docent, question(text));
    const sizes = turnsOf(docent).map(sizesOf);
    expect(sizes).toHaveLength(ALL_KINDS.length + 1);
    for (const { read, estimated } of sizes) {
      expect(read).toBeGreaterThan(100);
      expect(estimated).toBeLessThanOrEqual(CONTEXT_TOKENS - 16);
      expect(read / estimated).toBeLessThanOrEqual(1 + MARGIN_OF_UNKNOWN);
    }
    for (const { read, estimated } of sizes.slice(ALL_KINDS.length))
      expect(Math.abs(estimated / read - 1)).toBeLessThanOrEqual(0.25);
    for (const warning of ["probably cut", "larger than estimated"])
      expect(hasLogged(docent, warning)).toBe(false);
  });
});

const sizesOf = ({ prompt_tokens: read, prompt_tokens_estimated: estimated }: StoredTurn) => ({
  read: read ?? 0,
  estimated: estimated ?? 0,
});

describe("a conversation", () => {
  test.if(logsReading)(
    "is not read again for its next question, as it would be behind the passages",
    async () => {
      const ollama = await stage.ollama(LOGS_READING);
      const tap = stage.tap(ollama.url);
      const docent = await stage.docent(tap.url, { ...NO_GATE, passage_tokens: "100", answer_tokens: "16" });
      const { threadId } = await ask(docent, question(INSTALL));
      for (const text of ["How long are archived files kept?", INSTALL_OTHER])
        await ask(docent, nextQuestion(threadId, text));
      const [first = [], second = [], third = []] = tap.chats.map(({ body }) => body.messages);
      expect([first, second, third].map(({ length }) => length)).toEqual([2, 4, 6]);
      const kept = keptTokens(ollama);
      expect(kept[1]).toBeGreaterThanOrEqual((await tokensOf(ollama, first.slice(0, 1))) - TEMPLATE_TOKENS);
      expect(kept[2]).toBeGreaterThanOrEqual((await tokensOf(ollama, second.slice(0, 3))) - TEMPLATE_TOKENS);

      for (const messages of [second, third]) await tokensOf(ollama, passagesFirst(messages));
      expect(keptTokens(ollama).at(-1) ?? 0).toBeLessThan(kept[2] ?? 0);
    },
  );
});

/** What Ollama had in memory of each prompt that it was to read: it says so in its log alone. */
const keptTokens = ({ log }: RealOllama) =>
  [...log().matchAll(/msg="loading cache slot".* used=(\d+) /g)].map(([, used]) => Number(used));

/** How many tokens the messages are, with what the template puts behind them. */
async function tokensOf(ollama: RealOllama, messages: ChatMessage[]): Promise<number> {
  const body = chatBody(messages, { num_ctx: CONTEXT_TOKENS, num_predict: 1 });
  const lines = await Array.fromAsync(patientClient(ollama.url).chat(body, never));
  return lines.at(-1)?.promptTokens ?? 0;
}

/** The same prompt in the order in which most assistants put it. */
function passagesFirst(messages: ChatMessage[]): ChatMessage[] {
  const end = "</passages>";
  const [passages = "", asked = ""] = (messages.at(-1)?.content ?? "").split(end);
  return messages.map((message, index) => {
    if (index === 0) return { ...message, content: `${message.content}\n${passages}${end}` };
    return index === messages.length - 1 ? { ...message, content: asked } : message;
  });
}
