import { describe, expect, test } from "bun:test";
import { createCitationWriter, withoutCitations } from "../../src/answer/citations.ts";

const PASSAGES = [
  { number: 1, url: "https://docs.example/install#linux", text: "See https://nodejs.org/en for Node." },
  { number: 2, url: "https://docs.example/config", text: "Set the port." },
  { number: 3, url: "https://docs.example/keys", text: "Keys." },
];
const LINK1 = "[[1]](https://docs.example/install#linux)";
const LINK2 = "[[2]](https://docs.example/config)";
const LINK3 = "[[3]](https://docs.example/keys)";

function writeAll(pieces: string[]): { text: string; cited: number[] } {
  const writer = createCitationWriter(PASSAGES);
  const text = pieces.map((piece) => writer.write(piece)).join("") + writer.end();
  return { text, cited: writer.cited() };
}

const CASES: [name: string, written: string, read: string, cited: number[]][] = [
  ["a number becomes a link", "Run it [1].", `Run it ${LINK1}.`, [1]],
  ["a list becomes links", "Both [1, 3].", `Both ${LINK1}${LINK3}.`, [1, 3]],
  ["a range becomes links", "All [1-3]", `All ${LINK1}${LINK2}${LINK3}`, [1, 2, 3]],
  ["the word passage is understood", "See [passage 2].", `See ${LINK2}.`, [2]],
  ["an unknown number is dropped", "Never [7].", "Never .", []],
  ["of a list only what is known stays", "Some [1, 9].", `Some ${LINK1}.`, [1]],
  [
    "a fenced block is left as it is",
    "```js\nlet a = b[1];\n```\nDone [2].",
    `\`\`\`js\nlet a = b[1];\n\`\`\`\nDone ${LINK2}.`,
    [2],
  ],
  ["a code span is left as it is", "Use `a[1]` here [1].", `Use \`a[1]\` here ${LINK1}.`, [1]],
  ["a double code span is left as it is", "``x ` [1]`` then [1]", `\`\`x \` [1]\`\` then ${LINK1}`, [1]],
  [
    "a lone backtick does not swallow what follows",
    "It's a ` mark.\n\nThen [1].",
    `It's a \` mark.\n\nThen ${LINK1}.`,
    [1],
  ],
  [
    "a link to a passage stays and counts",
    "See [setup](https://docs.example/config).",
    "See [setup](https://docs.example/config).",
    [2],
  ],
  ["a link that is invented loses its target", "See [here](https://evil.example/x).", "See here.", []],
  [
    "a link that a passage holds stays",
    "Get [Node](https://nodejs.org/en).",
    "Get [Node](https://nodejs.org/en).",
    [],
  ],
  ["a script link loses its target", "[x](javascript:alert(1))", "x", []],
  ["an image becomes its words", "![logo](https://evil.example/p.png) ok", "logo ok", []],
  ["an image of a passage's address becomes its words", "![p](https://docs.example/config)", "p", []],
  ["an autolink to elsewhere is no link", "At <https://evil.example/a>.", "At evil.example/a.", []],
  ["a citation that already is a link is made right", "As [1](https://wrong.example).", `As ${LINK1}.`, [1]],
  [
    "brackets that are no citation stay",
    "An [optional] word and a[0] and [ ] box",
    "An [optional] word and a[0] and [ ] box",
    [],
  ],
  ["an escaped bracket stays", "\\[1\\] literal", "\\[1\\] literal", []],
  ["an open bracket at the end stays", "Trailing [1", "Trailing [1", []],
  ["a comparison is not an autolink", "a < b and c > d [2]", `a < b and c > d ${LINK2}`, [2]],
  [
    "a home folder is not a fence",
    "Edit ~/.config and ~~old~~ [1]",
    `Edit ~/.config and ~~old~~ ${LINK1}`,
    [1],
  ],
  ["a fence that is never closed keeps its text", "```\nlet x = [1]", "```\nlet x = [1]", []],
];

describe("citations", () => {
  for (const [name, written, read, cited] of CASES) {
    test(name, () => {
      expect(writeAll([written])).toEqual({ text: read, cited });
    });
    test(`${name}, however the text is cut`, () => {
      expect(writeAll([...written])).toEqual({ text: read, cited });
      for (let at = 1; at < written.length; at++) {
        expect(writeAll([written.slice(0, at), written.slice(at)])).toEqual({ text: read, cited });
      }
    });
  }

  test("text without marks is passed on at once", () => {
    const writer = createCitationWriter(PASSAGES);
    expect(writer.write("Hello, ")).toBe("Hello, ");
    expect(writer.write("world")).toBe("world");
  });

  test("a bracket that never closes is not waited for without end", () => {
    const writer = createCitationWriter(PASSAGES);
    const text = writer.write(`[${"a".repeat(5000)}`);
    expect(text.length).toBeGreaterThan(4000);
  });

  test("random marks never lose or invent a letter", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const marks = [
      "[",
      "]",
      "(",
      ")",
      "`",
      "```",
      "\n",
      "~",
      "!",
      "<",
      ">",
      "\\",
      "a",
      "b ",
      "1",
      "\n\n",
      "*",
    ];
    for (let round = 0; round < 2000; round++) {
      const pieces = Array.from({ length: random(30) }, () => marks[random(marks.length)] ?? "");
      const whole = writeAll([pieces.join("")]).text;
      expect(writeAll(pieces).text).toBe(whole);
    }
  });

  test("an earlier answer goes into the prompt as the model wrote it", () => {
    const answer = `Run it. ${LINK1} Then stop.${LINK2}\n\n\`\`\`suggestions\n(Keys)[/keys]\n\`\`\``;
    expect(withoutCitations(answer)).toBe("Run it. Then stop.");
  });
});
