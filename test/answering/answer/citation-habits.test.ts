import { describe, expect, test } from "bun:test";
import { createCitationWriter, indexesIn } from "../../../src/answering/answer/citations/citations.ts";

const PASSAGES = [1, 2, 3].map((number) => ({
  number,
  url: `https://docs.example/p${number}`,
  path: `p${number}`,
}));
const link = (...numbers: number[]) =>
  numbers.map((each) => `[[${each}]](https://docs.example/p${each})`).join("");

/** The reader's text, which must be the same however the model's comes. */
function shown(written: string, docs = ""): string {
  const read = (pieces: string[]) => {
    const writer = createCitationWriter(PASSAGES, { indexes: indexesIn(docs) });
    return pieces.map((piece) => writer.write(piece)).join("") + writer.end();
  };
  const text = read([written]);
  expect(read([...written])).toBe(text);
  for (let at = 1; at < written.length; at++)
    expect(read([written.slice(0, at), written.slice(at)])).toBe(text);
  return text;
}

function shownOnce(written: string): string {
  const writer = createCitationWriter(PASSAGES);
  return writer.write(written) + writer.end();
}

describe("however a model cites a passage that it was given, it becomes a source", () => {
  test.each([
    ["[citation:1]", [1]],
    ["[citation:1][citation:3]", [1, 3]],
    ["[citation: 1, 2]", [1, 2]],
    ["[cite: 2]", [2]],
    ["[^1]", [1]],
    ["[1, 2]", [1, 2]],
    ["[passage 1]", [1]],
    ["[Passages 1 and 2]", [1, 2]],
    ["[source 1]", [1]],
    ["[doc1]", [1]],
    ["[passage_2]", [2]],
    ["[Quelle 1]", [1]],
    ["[来源1]", [1]],
    ["【1】", [1]],
    ["〔2〕", [2]],
    ["［3］", [3]],
    ["(1)", [1]],
    ["(1, 2)", [1, 2]],
    ["(passage 1)", [1]],
    ["(passages 1 and 3)", [1, 3]],
    ["(see passage 2)", [2]],
    ["(Source: 2)", [2]],
    ["(according to source 3)", [3]],
    ["(Quelle 2)", [2]],
    ["(reference 1, reference 2)", [1, 2]],
    ["<co>1</co>", [1]],
    ["<cite>2</cite>", [2]],
    ['<|start_of_cite|>{"document_id": "2"}<|end_of_cite|>', [2]],
  ])("%s", (written, numbers) => {
    expect(shown(`It listens on port 8080 ${written}.`)).toBe(`It listens on port 8080 ${link(...numbers)}.`);
    expect(shown(`It listens on port 8080 ${written}`)).toBe(`It listens on port 8080 ${link(...numbers)}`);
  });

  test("around words, as Command R writes it", () => {
    expect(shown("It is <co: 1,2>port 8080</co: 1,2>.")).toBe(`It is port 8080${link(1, 2)}.`);
  });
});

describe("a number without a passage is removed", () => {
  test.each([
    "[citation:9]",
    "[cite: 9]",
    "[^9]",
    "[source 9]",
    "[doc9]",
    "【9】",
    "〔9〕",
    "(passage 9)",
    "(see source 9)",
    "([9])",
    "<co>9</co>",
  ])("%s", (written) => {
    expect(shown(`It listens ${written}.`)).toBe("It listens .");
  });

  test("in parentheses where the answer has cited so before", () => {
    expect(shown("It listens (1). It waits (9).")).toBe(`It listens ${link(1)}. It waits .`);
  });
});

describe("what cites nothing stays", () => {
  test.each([
    ["an enumeration in a sentence", "Either (1) do this, (2) do that, or (3) wait."],
    ["its last, which ends the sentence", "Choose (1) this, (2) that, (3)."],
    ["a number of a line", "(1) Open it.\n(2) Close it."],
    ["a call", "Call f(1), exit(2) or g (x)."],
    ["a value", "It returns zero (0) or one (1). The default is true (1)."],
    ["a step", "Go back to step (2)."],
    ["a tuple", "Start at the point (1, 2)."],
    ["an unknown number that nothing shows to be a citation", "It listens on the default port (9)."],
    ["an index in words", "Read a[1] and then x[2] of it."],
    ["a version", "Since [1.2], v2 (2.1) and 3.x."],
    ["code", "`a[1]` and `f (1)` and `(passage 1)`"],
    ["a code block", "```py\nx = a[1]  # [citation:1] (1).\n```"],
    ["words in parentheses", "It listens (passages are cut) and (see below) (source code) (1st)."],
    ["a year", "It began (2024)."],
  ])("%s", (_, written) => {
    expect(shown(written)).toBe(written);
  });

  test("a number in parentheses, where the answer cites in brackets", () => {
    expect(shown("It listens [1]. It waits for it (2).")).toBe(`It listens ${link(1)}. It waits for it (2).`);
  });

  test("a footnote of the docs that are quoted", () => {
    const docs = "Files are kept for 30 days.[^1] Others stay[^2].";
    expect(shown("> Files are kept for 30 days.[^1] Others stay[^2]. [1]", docs)).toBe(
      `> Files are kept for 30 days.[^1] Others stay[^2]. ${link(1)}`,
    );
  });
});

test("marks in parentheses in their thousands cost no more than words", () => {
  for (const mark of ["(passage 1 ", "(1, ", "([1", "(see ", "<co>", "［1"])
    expect(shownOnce(mark.repeat(3000))).not.toBe("");
});

test("parentheses are held back no longer than they may cite", () => {
  const writer = createCitationWriter(PASSAGES);
  expect(writer.write("It listens (by")).toBe("It listens (by");
  expect(writer.write(" default) (pas")).toBe(" default) ");
  expect(writer.write("t")).toBe("(past");
});
