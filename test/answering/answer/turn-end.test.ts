import { describe, expect, test } from "bun:test";
import { createReplyText } from "../../../src/answering/answer/reply/reply.ts";

interface Told {
  said: string;
  thought: string;
  isOver: boolean;
}

function tell(pieces: readonly string[]): Told {
  const reply = createReplyText();
  const told = [...pieces.flatMap((piece) => reply.write(piece)), ...reply.end()];
  const of = (type: string) => told.flatMap((each) => (each.type === type ? each.text : [])).join("");
  return { said: of("text-delta"), thought: of("reasoning-delta"), isOver: reply.isOver() };
}

/** What is said of a reply, which must be the same however it comes. */
function saidOf(written: string): string {
  const whole = tell([written]);
  expect(tell([...written])).toEqual(whole);
  for (let at = 1; at < written.length; at++)
    expect(tell([written.slice(0, at), written.slice(at)])).toEqual(whole);
  return whole.said;
}

const ANSWER = "It listens on port 8080 [1].";

describe("an answer ends where its model ends it, and nothing of an invented turn is said", () => {
  test.each([
    ["ChatML", "<|im_end|>\n<|im_start|>user\nAnd TLS?<|im_end|>\n<|im_start|>assistant\nYes."],
    ["ChatML, without the marks of the turn", "<|im_end|>\nuser\nAnd TLS?"],
    ["a space before it", " <|im_end|>\n"],
    ["Llama 3", "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd TLS?"],
    ["Llama 2, Mistral", "</s><s>[INST] And TLS? [/INST] Yes."],
    ["Mistral, without its end", " [INST] And TLS? [/INST] Yes."],
    ["Gemma", "<end_of_turn>\n<start_of_turn>user\nAnd TLS?"],
    ["Phi", "<|end|><|user|>And TLS?<|end|><|assistant|>Yes."],
    ["DeepSeek", "<｜end▁of▁sentence｜><｜User｜>And TLS?"],
    ["Granite", "<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>And TLS?"],
    ["Command R", "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>And TLS?"],
    ["a turn without an end", "\n<|im_start|>user\nAnd TLS?"],
    ["words that begin turns", "\n\nUser: And TLS?\nAssistant: Yes."],
    ["a question, and no answer to it", "\n\nHuman: And TLS?"],
    ["headings", "\n\n### User:\nAnd TLS?\n\n### Assistant:\nYes."],
    ["a heading alone", "\n### Instruction:\nAnd TLS"],
    ["bold words", "\n**User:** And TLS\n**Assistant:** Yes."],
    ["an end alone", "<|endoftext|>"],
  ])("%s", (_, rest) => {
    expect(saidOf(ANSWER + rest).trimEnd()).toBe(ANSWER);
  });

  test("and its model is not asked for more", () => {
    expect(tell([`${ANSWER}<|im_end|>\n<|im_start|>`]).isOver).toBe(true);
    expect(tell([ANSWER]).isOver).toBe(false);
  });

  test("in code that was never closed", () => {
    expect(saidOf("Run:\n```sh\nacme up\n<|im_end|>")).toBe("Run:\n```sh\nacme up\n");
    expect(saidOf("Run:\n```sh\nacme up\n<|im_end|>\n<|im_start|>user\nAnd TLS?")).toBe(
      "Run:\n```sh\nacme up\n",
    );
  });
});

describe("what speaks of such marks stays", () => {
  test.each([
    ["a code span", "The model ends with `<|im_end|>`, or `</s>`.\nThat is all."],
    [
      "a code block",
      '```\nPARAMETER stop "<|im_end|>"\nPARAMETER stop <|eot_id|>\nFROM x\n```\nThat is all.',
    ],
    ["a chat template", "```\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n```\nThat is all."],
    ["a sentence", "The token <|im_end|> ends a turn, and so does <end_of_turn>, as in\nall models."],
    ["a quote", 'It writes "<|im_end|>" there.'],
    ["text that is struck out", "It is <s>8080</s>\n8081."],
    ["settings", "Host: db\nUser: root\nPassword: secret\n\nThat is all."],
    ["a heading of roles", "Roles.\n\nUser: may read all pages.\n\nAdmin: may write."],
    ["an array", "Use [1] or [IN] or a < b."],
    ["a question in a code block", "```\nUser: hi?\n```"],
  ])("%s", (_, written) => {
    expect(saidOf(written)).toBe(written);
  });
});

test.each([
  ["<|im_start|>assistant\n", "ChatML"],
  ["<|start_header_id|>assistant<|end_header_id|>\n\n", "Llama 3"],
  ["<start_of_turn>model\n", "Gemma"],
  ["<s>[/INST] ", "Mistral"],
  ["<|assistant|>\n", "Phi"],
  ["<｜begin▁of▁sentence｜><｜Assistant｜>", "DeepSeek"],
  ["<|start_of_role|>assistant<|end_of_role|>", "Granite"],
  ["<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "Command R"],
  ["### Assistant:\n", "words"],
])("the mark %p that begins an answer of %s is left out, before thoughts too", (mark) => {
  expect(saidOf(mark + ANSWER)).toBe(ANSWER);
  expect(tell([`${mark}<think>Hm.</think>${ANSWER}`])).toEqual({
    said: ANSWER,
    thought: "Hm.",
    isOver: false,
  });
});

test("ordinary words are passed on at once", () => {
  const reply = createReplyText();
  expect(reply.write("It is")).toEqual([{ type: "text-delta", text: "It is" }]);
  expect(reply.write(" 8080.\nUse")).toEqual([{ type: "text-delta", text: " 8080.\n" }]);
  expect(reply.write(" it")).toEqual([{ type: "text-delta", text: "Use it" }]);
});
