import { describe, expect, test } from "bun:test";
import { type Sentence, sentencesOf, states } from "../../../src/answering/answer/support/sentences.ts";
import {
  carries,
  createSupport,
  supportOf,
} from "../../../src/answering/answer/support/supporting-passages.ts";

const PASSAGES = [
  {
    number: 1,
    title: "Install",
    headings: ["Linux"],
    text: "Run the installer from your terminal. It puts the program into `/opt/acme` and needs no root.\n\nThe server listens on port 8080, unless `--port` says otherwise.\n\n```sh\nsh install.sh --prefix /opt/acme\nacme up\n```",
  },
  {
    number: 2,
    title: "Configuration",
    text: "| Setting | Default |\n| --- | --- |\n| `retention_days` | 30 |\n| `max_pages` | 5,000 |\n\nOld conversations are deleted after thirty days. A setting in the environment wins over one in the file.",
  },
];
const carriersOf = (sentence: string) => supportOf(sentence, PASSAGES).map(({ number }) => number);

describe("a sentence is carried by the passage", () => {
  for (const [name, sentence, number] of [
    ["that says it word for word", "Run the installer from your terminal.", 1],
    ["that says it in another order", "From your terminal, run the installer.", 1],
    ["that says more", "The server listens on port 8080.", 1],
    [
      "of which it joins two sentences",
      "Old conversations are deleted after thirty days, and a setting in the environment wins over one in the file.",
      2,
    ],
    ["that says it with another word or two", "You just run the installer from the terminal", 1],
    ["whose heading has a word of it", "On Linux, run the installer from your terminal.", 1],
    ["whose table says it", "`retention_days` is 30 by default.", 2],
    ["that writes a number otherwise", "The default of `max_pages` is 5000.", 2],
    [
      "after the words that answers begin with",
      "According to the documentation, a setting in the environment wins over one in the file.",
      2,
    ],
  ] as const)
    test(name, () => expect(carriersOf(sentence)[0]).toBe(number));
});

describe("a sentence is carried by none", () => {
  for (const [name, sentence] of [
    ["where a number differs", "The server listens on port 9090."],
    ["where a number is another setting's", "`retention_days` is 5000 by default."],
    ["where a name differs", "The server listens on port 8080, unless `--bind` says otherwise."],
    ["where it denies what the passage says", "The server does not listen on port 8080."],
    ["where the passage denies what it says", "It puts the program into `/opt/acme` and needs root."],
    ["about something else", "Choose a plan and enter the number of your credit card."],
    ["that shares a word or two", "The installer deletes the settings of your server."],
    ["without words", "…"],
  ] as const)
    test(name, () => expect(carriersOf(sentence)).toEqual([]));
});

describe("how near the meanings are", () => {
  test("keeps the same words about something else from counting", () => {
    expect(carries({ number: 1, strength: 0.8 }, 0.3)).toBe(false);
    expect(carries({ number: 1, strength: 0.8 }, 0.6)).toBe(true);
  });
  test("lets other words for the same thing count", () => {
    expect(carries({ number: 1, strength: 0.55 }, 0.9)).toBe(true);
    expect(carries({ number: 1, strength: 0.55 }, 0.6)).toBe(false);
  });
  test("is not needed where the words are there", () => {
    expect(carries({ number: 1, strength: 0.8 })).toBe(true);
    expect(carries({ number: 1, strength: 0.55 })).toBe(false);
  });
});

test("code is carried by the passage that has its lines, however they are indented", () => {
  const support = createSupport(PASSAGES);
  expect(support.ofCode("  sh install.sh   --prefix /opt/acme\nacme up")[0]?.number).toBe(1);
  expect(support.ofCode("sh install.sh --prefix /usr\nacme up")).toEqual([]);
  expect(support.ofCode("\n")).toEqual([]);
});

describe("the sentences of an answer", () => {
  const read = (markdown: string) => sentencesOf(markdown).filter(states);

  test("is one where it cites an address with a question mark in it", () => {
    const link = "[[1]](https://docs.example/sites/acme/install?until=1&signature=x#linux)";
    expect(read(`Run the installer ${link} from your terminal.`)).toEqual([
      { text: "Run the installer from your terminal.", isCode: false, code: [], cites: [1] },
    ]);
  });
  const one = (text: string, cites: number[] = [], isCode = false): Sentence => ({
    text,
    isCode,
    code: [],
    cites,
  });

  test("have their citations, before or behind the mark that ends them", () => {
    expect(
      read(
        "Run the installer first [[1]](https://x/a). Then open the page. [2]\n\nThe settings are in the file.",
      ),
    ).toEqual([
      one("Run the installer first.", [1]),
      one("Then open the page.", [2]),
      one("The settings are in the file."),
    ]);
  });

  test("are those of lists, quotes and tables too, and code is one", () => {
    const markdown =
      "Do this:\n\n1. Run the installer.\n   ```sh\n   acme up\n   ```\n- Open the browser [1]\n\n> The server listens.\n\n| a | b |\n| - | - |\n| port | number 8080 |";
    expect(read(markdown)).toEqual([
      one("Run the installer."),
      one("acme up", [], true),
      one("Open the browser", [1]),
      one("The server listens."),
      one("port number 8080"),
    ]);
  });

  test("are none where nothing is stated", () => {
    expect(read("## Heading\n\nTo install it on Linux, run:\n\nDo you want to install it?\n\nYes.")).toEqual(
      [],
    );
  });
});
