import type { Prompt } from "../../src/answering/answer/prompt/prompt.ts";
import { showPassage } from "../../src/answering/answer/prompt/wording.ts";
import type { NumberedPassage } from "../../src/answering/answer/responder.ts";

/** A message in Ollama's form. */
export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
}

const PASSAGES = /<passages>\n[\s\S]*<\/passages>\n?/;

/** The prompt as it is built: rules and site text, conversation, passages, question. */
export const asBuilt = ({ system, messages }: Prompt): ChatMessage[] => [
  { role: "system", content: system },
  ...messages,
];

/** The same prompt with every passage whole. */
export function withWholePassages(prompt: Prompt, passages: readonly NumberedPassage[]): Prompt {
  const whole = passages.map(showPassage).join("\n");
  return changeLast(prompt, () => `<passages>\n${whole}\n</passages>\n`).prompt;
}

/** The same texts with the passages first, as in assistants that put them into their system text. */
export function passagesFirst(prompt: Prompt): ChatMessage[] {
  const { prompt: rest, taken } = changeLast(prompt, () => "");
  return asBuilt({ ...rest, system: `${taken}${rest.system}` });
}

function changeLast(prompt: Prompt, change: () => string): { prompt: Prompt; taken: string } {
  const last = prompt.messages.at(-1);
  const taken = PASSAGES.exec(last?.content ?? "")?.[0];
  if (last === undefined || taken === undefined)
    throw new Error("the prompt's last message holds no <passages>: this measure has to follow the prompt");
  const messages = [
    ...prompt.messages.slice(0, -1),
    { ...last, content: last.content.replace(PASSAGES, change) },
  ];
  return { prompt: { ...prompt, messages }, taken };
}
