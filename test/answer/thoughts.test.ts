import { describe, expect, test } from "bun:test";
import { createThinkingSplitter } from "../../src/answer/write/thinking.ts";

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

  test("leave as they come", () => {
    const splitter = createThinkingSplitter();
    expect([...splitter.write("<think>one ")]).toEqual([{ type: "reasoning-delta", text: "one " }]);
    expect([...splitter.write("two")]).toEqual([{ type: "reasoning-delta", text: "two" }]);
  });
});
