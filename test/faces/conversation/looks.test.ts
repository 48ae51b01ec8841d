import { expect, test } from "bun:test";
import { readStreamPart } from "../../../src/faces/conversation/stream.ts";
import { newTurn, withPart } from "../../../src/faces/conversation/turn.ts";

const part = (value: object) => {
  const read = readStreamPart(JSON.stringify(value));
  if (read === undefined) throw new Error("the part says nothing");
  return read;
};
const result = (path: string) => ({
  path,
  content: `About ${path}`,
  metadata: { title: path, href: `/${path}`, score: 1 },
});

test("what a model looks for stands beside the first search, and what it finds is added", () => {
  const parts = [
    { type: "tool-input-available", toolName: "search", input: { query: "How?" } },
    { type: "tool-output-available", output: { results: [result("one")], corrected: "How so?" } },
    { type: "tool-input-available", toolName: "search", input: { query: "proxy" } },
    { type: "tool-output-available", output: { results: [result("two")] } },
    { type: "tool-input-available", toolName: "read_page", input: { path: "guide", heading: "Linux" } },
    { type: "tool-output-available", output: { results: [] } },
  ];
  const turn = parts.map(part).reduce(withPart, newTurn("q", "How?", {}, 0));
  expect(turn.query).toBe("How?");
  expect(turn.corrected).toBe("How so?");
  expect(turn.looks).toBe("proxy”, “guide # Linux");
  expect(turn.results.map(({ path }) => path)).toEqual(["one", "two"]);
});
