import { describe, expect, test } from "bun:test";
import { suggestionsBlock } from "../../../src/answering/answer/write/write.ts";
import { splitSuggestions } from "../../../src/kernel/text/suggestions.ts";

const BLOCK = "\n\n```suggestions\n(Install it)[/guide/install]\n(Next)[/next#part]\n```";
const SUGGESTIONS = [
  { label: "Install it", path: "/guide/install" },
  { label: "Next", path: "/next#part" },
];

describe("suggestions at the end of an answer", () => {
  test("are taken off it", () => {
    expect(splitSuggestions(`Answer.${BLOCK}`)).toEqual({ text: "Answer.", suggestions: SUGGESTIONS });
    expect(splitSuggestions(`Answer.${BLOCK}\n \n`).suggestions).toEqual(SUGGESTIONS);
  });

  test("are read as the server writes them", () => {
    const found = [{ path: "a b/(c)", title: "A (great) [page]", relevance: 1 }];
    expect(splitSuggestions(`Answer.${suggestionsBlock(found, new Set(), 0)}`)).toEqual({
      text: "Answer.",
      suggestions: [{ label: "A great page", path: "/a%20b/%28c%29" }],
    });
  });

  test("never show while they come, at any cut", () => {
    const whole = `Answer with \`code\`.${BLOCK}`;
    for (let at = 0; at <= whole.length; at++) {
      const { text } = splitSuggestions(whole.slice(0, at), true);
      expect({ at, isAnswer: "Answer with `code`.".startsWith(text.trimEnd()) }).toEqual({
        at,
        isAnswer: true,
      });
    }
  });

  test("that broke off show those that are whole, and none of the block", () => {
    expect(splitSuggestions(`Answer.${BLOCK.slice(0, -20)}`)).toEqual({
      text: "Answer.",
      suggestions: SUGGESTIONS.slice(0, 1),
    });
  });

  test("that are no suggestions stay what they are", () => {
    for (const text of [
      "",
      "Answer.",
      "```js\na\n```",
      "a ```suggestions",
      `Answer.${BLOCK}\nMore.`,
      "```suggestionsX\n```",
      "ends in ``",
    ])
      expect(splitSuggestions(text)).toEqual({ text, suggestions: [] });
  });

  test("leave out what leads nowhere safe, and have a bound", () => {
    const lines = [
      "(a)[javascript:alert(1)]",
      "(b)[//evil.example]",
      "(c)[mailto:a@b.example]",
      "[d](/d)",
      "(e)[/e]",
    ];
    const many = Array.from({ length: 50 }, (_, at) => `(x${at})[/${at}]`);
    const split = (inside: string[]) =>
      splitSuggestions(`A\n\n\`\`\`suggestions\n${inside.join("\n")}\n\`\`\``);
    expect(split(lines)).toEqual({ text: "A", suggestions: [{ label: "e", path: "/e" }] });
    expect(split(many).suggestions).toHaveLength(10);
  });
});
