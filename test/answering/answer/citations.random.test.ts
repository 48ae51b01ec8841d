import { describe, expect, test } from "bun:test";
import { createCitationWriter } from "../../../src/answering/answer/citations/citations.ts";
import { walkMarkdown } from "../../../src/reading/markdown/tree.ts";
import {
  ATTACKS,
  harmIn,
  hostileAnswer,
  PASSAGES,
  randomFrom,
  shownOf,
} from "../../helpers/hostile-answers.ts";

const LINKED = new Set(PASSAGES.flatMap(({ url }) => [url, url.replace("#part", "")]));
const ROUNDS = 3000;

type Random = ReturnType<typeof randomFrom>;
const pick = <T>(random: Random, from: readonly [T, ...T[]]): T => from[random(from.length)] ?? from[0];

function writeAll(pieces: string[]) {
  const writer = createCitationWriter(PASSAGES);
  const text = pieces.map((piece) => writer.write(piece)).join("") + writer.end();
  return { text, cited: writer.cited() };
}

/** The text in pieces of one to five characters. */
function cutAtRandom(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random(5);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** A piece of an answer, and the numbers that are cited in it. */
interface Piece {
  written: string;
  cites: number[];
}

const plain = (written: string): Piece => ({ written, cites: [] });

function citation(random: Random): Piece {
  const first = 1 + random(5);
  const second = 1 + random(5);
  const [low, high] = [Math.min(first, second), Math.max(first, second)];
  const range = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  return pick<Piece>(random, [
    { written: `[${first}]`, cites: [first] },
    { written: `[^${first}]`, cites: [first] },
    { written: `【${first}】`, cites: [first] },
    { written: `【${first}†L1-L9】`, cites: [first] },
    { written: `[[${first}]]`, cites: [first] },
    { written: `[${first}][${second}]`, cites: [first, second] },
    { written: `[${first}, ${second}]`, cites: [...new Set([first, second])] },
    { written: `[${low}-${high}]`, cites: range },
    { written: `[${low}–${high}]`, cites: range },
    { written: `[Passage ${first}]`, cites: [first] },
    { written: `[${first}](https://evil.example/${second})`, cites: [first] },
    { written: `[${first}, 9]`, cites: [first] },
    { written: "[7]", cites: [] },
  ]);
}

function code(random: Random): Piece {
  const number = 1 + random(5);
  return plain(
    pick(random, [
      `\`a[${number}]\``,
      `\n\n\`\`x \` [${number}]\`\``,
      `\n\n\`\`\`js\nlet a = b[${number}];\n\`\`\`\n\n`,
      `\n\n~~~\n[${number}](x)\n~~~\n\n`,
      `\n\n- one\n\n  \`\`\`\n  [${number}]\n  \`\`\`\n\n`,
      `\n\n> \`\`\`\n> [${number}]\n> \`\`\`\n\n`,
    ]),
  );
}

const words = (random: Random): Piece =>
  plain(
    pick(random, [
      ...(["Run the installer", " and then ", "\n\n", "\n", ". ", "! ", "**bold** "] as const),
      ...([
        " [optional] ",
        " f(1) ",
        " <name> ",
        " a < b ",
        " 5 * 3 ",
        " [x](https://evil.example) ",
      ] as const),
      ...([
        " ![x](//evil.example/p) ",
        " https://evil.example/a ",
        "\n- item ",
        "\n1. first ",
        " 漢字。",
      ] as const),
    ]),
  );

describe("whatever a model writes", () => {
  test("each number that it cites outside of code is a link, none inside, and none that it did not cite", () => {
    const random = randomFrom(1);
    for (let round = 0; round < ROUNDS; round++) {
      const pieces = Array.from({ length: 1 + random(12) }, () =>
        pick(random, [words, citation, code])(random),
      );
      const written = pieces.map((piece) => piece.written).join(" ");
      const { text, cited } = writeAll(cutAtRandom(written, random));
      const linked = [...text.matchAll(/\[\[(\d+)\]\]\(/g)].map(([, number]) => Number(number));
      const wanted = pieces.flatMap(({ cites }) => cites);
      expect({ written, linked }).toEqual({ written, linked: wanted });
      expect(cited.toSorted()).toEqual([...new Set(wanted)].toSorted());
    }
  });

  test("it reads the same however it was cut", () => {
    const random = randomFrom(2);
    for (let round = 0; round < ROUNDS; round++) {
      const written = hostileAnswer(random).join("");
      const whole = shownOf([written]);
      expect({ written, text: shownOf([...written]) }).toEqual({ written, text: whole });
      expect({ written, text: shownOf(cutAtRandom(written, random)) }).toEqual({ written, text: whole });
    }
  });

  test("no client shows an image, a raw tag, or a link to anywhere but the pages that were found", () => {
    const random = randomFrom(3);
    for (let round = 0; round < ROUNDS / 3; round++) {
      const pieces = hostileAnswer(random);
      const text = shownOf(pieces);
      expect({ pieces, text, harm: harmIn(text), ...shown(text) }).toEqual({
        pieces,
        text,
        harm: {},
        images: [],
        links: [],
        tags: [],
      });
    }
  });
});

describe("what has passed once passes no more", () => {
  for (const [name, written] of ATTACKS) test(name, () => expect(harmIn(shownOf([written]))).toEqual({}));
});

/** Where a block, or a cell of a table, ends in the middle of what looks like a code span. */
const BROKEN_SPANS = [
  ["a heading", "# a `\nb [x](https://evil.example) `"],
  ["a definition", "[a`]: https://evil.example\nb`\n\nSee [a`]."],
  ["an indented line", "a `\n    {\n[b`]](https://evil.example)#`"],
  ["a cell in a table's head", "| a ` | [x](https://evil.example) ` |\n|---|---|\n| a | b |"],
  ["a cell", "| a | b |\n|---|---|\n| a ` | [x](https://evil.example) ` |"],
  ["a cell without bars around", "a | b\n--- | ---\nc ` | <https://evil.example> ` d"],
  ["a first cell", "` | [x](https://evil.example) `\n--- | ---\na | b"],
  ["a row", "| a | b |\n|---|---|\nc ` | d\ne [x](https://evil.example) ` | f"],
] as const;

describe("no tag and no link gets through", () => {
  for (const [name, written] of [
    ["below a tag alone on its line, where clients read HTML", "Yes:\n\n<br> \n<a href=//evil.example>x</a>"],
    ["below such a tag in a quote", "> </kbd>\n> <img src=//evil.example>"],
    ["on a line that a carriage return begins", "a\r\r[a]: //evil.example\r\r[a]"],
  ] as const)
    test(name, () => {
      const { text } = writeAll([written]);
      expect({ text, ...shown(text) }).toEqual({ text, images: [], links: [], tags: [] });
      expect(writeAll([...written]).text).toBe(text);
      expect(Bun.markdown.html(text)).not.toMatch(/\\<|<img/);
    });
});

describe("a code span that a client does not see as one hides no link", () => {
  for (const [name, written] of BROKEN_SPANS)
    test(`behind ${name}`, () => {
      const { text } = writeAll([written]);
      expect({ text, ...shown(text) }).toEqual({ text, images: [], links: [], tags: [] });
    });
});

/** What a client would make of an answer: its images, its links to elsewhere, and its tags. */
function shown(markdown: string) {
  const images: unknown[] = [];
  const links: unknown[] = [];
  const tags: string[] = [];
  const html = Bun.markdown.html(markdown, { autolinks: true });
  for (const [, href = ""] of html.matchAll(/<a [^>]*href="([^"]*)"/g))
    if (!LINKED.has(href.replaceAll("&amp;", "&")) && !href.endsWith("help@docs.example")) links.push(href);
  walkMarkdown(markdown, {
    text() {},
    enter(element) {
      if (element.type === "img") images.push(element.props["src"]);
      if (element.type === "html") tags.push(element.children.join(""));
      return true;
    },
    leave() {},
  });
  return { images, links, tags };
}
