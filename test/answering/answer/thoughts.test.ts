import { describe, expect, test } from "bun:test";
import { createThinkingSplitter } from "../../../src/answering/answer/thinking.ts";

function tell(pieces: string[]): { thought: string; said: string } {
  const splitter = createThinkingSplitter();
  const told = [...pieces.flatMap((piece) => [...splitter.write(piece)]), ...splitter.end()];
  const of = (type: string) => told.flatMap((each) => (each.type === type ? each.text : [])).join("");
  return { thought: of("reasoning-delta"), said: of("text-delta") };
}

const CASES: [name: string, written: string, thought: string, said: string][] = [
  ["a thought before the answer", "<think>\nHm [1].\n</think>\n\nYes [2].", "Hm [1].\n", "Yes [2]."],
  ["an empty thought", "<think>\n\n</think>\n\nYes.", "", "Yes."],
  ["spaces before the thought", "\n <think>a</think>b", "a", "b"],
  ["two thoughts", "<think>a</think>\n<think>b</think>\nc", "ab", "c"],
  ["other names and case", "<Thinking>a < b</THINKING>c", "a < b", "c"],
  ["a thought that never ends", "<think>a </thin", "a </thin", ""],
  ["no thought", "Yes < no.", "", "Yes < no."],
  ["a tag in the answer is a word", "Write <think>x</think> here.", "", "Write <think>x</think> here."],
  ["another tag", "<thinker>x", "", "<thinker>x"],
  ["space alone", "  ", "", "  "],
  [
    "an unopened thought, as it begins in most models",
    "Okay, the user wants a port [1].\n\nIt is 8080.\n</think>\n\nThe port is 8080 [2].",
    "Okay, the user wants a port [1].\n\nIt is 8080.\n",
    "The port is 8080 [2].",
  ],
  ["what begins like a thought and is none", "Okay, then do it.", "", "Okay, then do it."],
  ["an answer that begins so after a thought", "<think>a</think>Okay, then.", "a", "Okay, then."],
  [
    "an unopened thought that began like an answer",
    "It is 8080, I think.\n</think>\n\nIt is 80.",
    "",
    "It is 8080, I think.\n\nIt is 80.",
  ],
  [
    "a mark in a line is a word",
    "Close it by </think> here.\nOr </think>\nso.",
    "",
    "Close it by </think> here.\nOr </think>\nso.",
  ],
  [
    "a mark that closes the answer's own example",
    "So:\n<think>\na\n</think>\nb",
    "",
    "So:\n<think>\na\n</think>\nb",
  ],
  [
    "the channels of gpt-oss",
    "<|channel|>analysis<|message|>Hm [1].<|end|><|start|>assistant<|channel|>final<|message|>Yes [2].<|return|>",
    "Hm [1].",
    "Yes [2].",
  ],
  ["the last channel alone", "<|channel|>final<|message|>Yes.", "", "Yes."],
  ["Magistral's marks", "[THINK]a[/THINK]b", "a", "b"],
  ["Command A's marks", "<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>", "a", "b"],
  ["a citation first is no mark", "[1] says so.", "", "[1] says so."],
];

describe("thoughts that a model writes into its answer", () => {
  for (const [name, written, thought, said] of CASES) {
    test(`${name}, however it is cut`, () => {
      expect(tell([written])).toEqual({ thought, said });
      expect(tell([...written])).toEqual({ thought, said });
      for (let at = 1; at < written.length; at++)
        expect(tell([written.slice(0, at), written.slice(at)])).toEqual({ thought, said });
    });
  }

  test("that only seem to begin are held back up to a bound", () => {
    const splitter = createThinkingSplitter();
    expect([...splitter.write("Okay, so")]).toEqual([]);
    const told = [...splitter.write(" words".repeat(1000))];
    expect(told.map(({ text }) => text).join("")).toBe(`Okay, so${" words".repeat(1000)}`);
    expect([...splitter.write(" more")]).toEqual([{ type: "text-delta", text: " more" }]);
  });

  test("leave as they come", () => {
    const splitter = createThinkingSplitter();
    expect([...splitter.write("<think>one ")]).toEqual([{ type: "reasoning-delta", text: "one " }]);
    expect([...splitter.write("two")]).toEqual([{ type: "reasoning-delta", text: "two" }]);
  });
});
