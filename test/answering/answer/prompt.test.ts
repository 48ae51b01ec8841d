import { describe, expect, test } from "bun:test";
import type { CountTokens } from "../../../src/answering/answer/prompt/fitting.ts";
import { buildPrompt, type Prompt } from "../../../src/answering/answer/prompt/prompt.ts";
import type { PastMessage } from "../../../src/answering/answer/responder.ts";
import { tokensAtMost } from "../../../src/models/ollama/tokens/count.ts";
import { numberedPassage, responderRequest } from "../../helpers/responder-request.ts";

const budget = (tokens: number, passageTokens = 1000, count: CountTokens = tokensAtMost) => ({
  tokens,
  passageTokens,
  count,
});
const REQUEST = responderRequest({
  passages: [numberedPassage(1, "Run `apt install acme`.", { title: "Install", headings: ["Linux"] })],
});

const contents = ({ messages }: Prompt): string[] => messages.map(({ content }) => content);
const everything = (prompt: Prompt): string => [prompt.system, ...contents(prompt)].join("\n");

const conversation = (length: number, words: number): PastMessage[] =>
  Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    text: `message ${index} ${"word ".repeat(words)}`,
  }));

describe("the prompt", () => {
  test("begins with the rules and the site's text, which no question of the site changes", () => {
    const site = { siteName: "Acme", instructions: "Call readers operators.", notCovered: "Ask Ann." };
    const { system } = buildPrompt({ ...REQUEST, ...site }, budget(4000));
    const other = buildPrompt(
      {
        ...REQUEST,
        ...site,
        question: "Something else?",
        currentPath: "guide",
        history: conversation(4, 10),
        passages: [],
        contexts: [{ kind: "note", text: "a note" }],
      },
      budget(3000, 500),
    );
    expect(other.system).toBe(system);
    expect(system).toContain("documentation of Acme.");
    expect(system).toContain("reply only with: Ask Ann.");
    expect(system).toEndWith("Call readers operators.");
  });

  test("has the conversation before the passages, and the question at its end", () => {
    const { messages } = buildPrompt({ ...REQUEST, history: conversation(2, 1) }, budget(4000));
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages.at(-1)?.content).toStartWith(
      '<passages>\n<passage number="1">\nInstall > Linux\n\nRun `apt install acme`.\n</passage>\n</passages>\n',
    );
    expect(messages.at(-1)?.content).toEndWith("<question>\nHow do I install it?\n</question>");
  });

  test("holds what the reader attached and the page the reader is on, as data", () => {
    const { messages } = buildPrompt(
      {
        ...REQUEST,
        contexts: [{ kind: "code", text: "acme()", path: "main.ts" }],
        currentPath: "guide/install",
      },
      budget(4000),
    );
    expect(messages.at(-1)?.content).toContain(
      '<attached kind="code">\nFrom: main.ts\nacme()\n</attached>\n<current-page>guide/install</current-page>\n',
    );
  });

  test("holds of the passages what the question, made whole, asks for", () => {
    const filler = "The weather was fine and nobody thought of anything else. ".repeat(8);
    const text = `Windows needs the MSI. ${filler}Linux needs the tarball.`;
    const passages = [numberedPassage(1, text)];
    const asked = { ...REQUEST, passages, question: "And there?", searched: "What does Windows need?" };
    const prompt = everything(buildPrompt(asked, budget(600, 100)));
    expect(prompt).toContain("MSI");
    expect(prompt.split("weather").length - 1).toBeLessThan(4);
  });

  test("names the page once, and where headings are long the last one whole", () => {
    const outer = [
      "What's new",
      "A class with a long signature".padEnd(140, "."),
      "A method".padEnd(140, "."),
    ];
    const passage = numberedPassage(1, "It stops.", {
      title: "What’s new",
      headings: [...outer, "Stop the worker"],
    });
    const { messages } = buildPrompt(responderRequest({ passages: [passage] }), budget(2000));
    const [, place] = /<passage number="1">\n(.*)\n/.exec(messages[0]?.content ?? "") ?? [];
    expect(place).toStartWith("What’s new > … > A method...");
    expect(place).toEndWith(" > Stop the worker");
  });

  test("keeps the passages within their own budget, however much room there is", () => {
    const passages = Array.from({ length: 5 }, (_, index) =>
      numberedPassage(index + 1, `Install it like this, ${index}. `.repeat(60)),
    );
    const sizeOf = (passageTokens: number) =>
      buildPrompt({ ...REQUEST, passages }, budget(20_000, passageTokens)).tokensEstimated;
    const without = buildPrompt({ ...REQUEST, passages: [] }, budget(20_000)).tokensEstimated;
    expect(sizeOf(300)).toBeLessThanOrEqual(without + 300);
    expect(sizeOf(300)).toBeGreaterThan(without + 200);
    expect(sizeOf(1000)).toBeGreaterThan(sizeOf(300) + 400);
  });

  test("leaves out what does not fit: the oldest messages, and the least relevant passages", () => {
    const passages = Array.from({ length: 10 }, (_, index) =>
      numberedPassage(index + 1, "word ".repeat(150), { relevance: 1 - index / 20 }),
    );
    const text = everything(
      buildPrompt({ ...REQUEST, passages, history: conversation(10, 50) }, budget(1500, 5000)),
    );
    expect(text).toContain("Page 1\n");
    expect(text).not.toContain("Page 10\n");
    expect(text).toContain("message 9");
    expect(text).not.toContain("message 0");
  });
});

describe("a conversation that grows", () => {
  const turns = (count: number) => conversation(count * 2, 40);

  test("begins with a question, however much of it is kept", () => {
    for (let tokens = 350; tokens < 3000; tokens += 50) {
      const { messages } = buildPrompt({ ...REQUEST, history: turns(5).slice(0, 9) }, budget(tokens));
      expect(messages[0]?.role).toBe("user");
    }
  });

  test("is extended at its end for several turns in a row, so that the model server can keep its beginning", () => {
    let extended = 0;
    let before: string[] = [];
    for (let turn = 1; turn <= 40; turn++) {
      const asked = { ...REQUEST, history: turns(turn), question: `question ${turn}` };
      const kept = contents(buildPrompt(asked, budget(4000))).slice(0, -1);
      expect(kept.length).toBeGreaterThan(0);
      expect(kept.at(-1)).toBe(turns(turn).at(-1)?.text ?? "");
      if (before.every((message, index) => kept[index] === message)) extended++;
      before = kept;
    }
    // When it has to be cut, half goes at once: that is seldom.
    expect(extended).toBeGreaterThan(30);
  });

  test("is left out whole where there is no room for it, and no message is empty", () => {
    for (let tokens = 200; tokens < 700; tokens += 10) {
      const kept = contents(buildPrompt({ ...REQUEST, history: turns(3) }, budget(tokens)));
      expect(kept.every((content) => content !== "")).toBe(true);
    }
  });

  test("keeps the beginning of a message that is longer than there is room for", () => {
    const history: PastMessage[] = [
      { role: "user", text: "How does it work?" },
      { role: "assistant", text: `It works so. ${"word ".repeat(5000)}` },
    ];
    expect(contents(buildPrompt({ ...REQUEST, history }, budget(2000)))[1]).toStartWith("It works so. word");
  });
});

describe("of four thousand random conversations none is over the budget", () => {
  const COUNTERS: Record<string, CountTokens> = {
    "the most that any tokenizer makes": tokensAtMost,
    "bytes, rounded down, so that parts are fewer than their whole": (text) =>
      Math.floor(Buffer.byteLength(text) / 3),
    "words, and five for every line": (text) =>
      (text.match(/\S+/g)?.length ?? 0) + text.split("\n").length * 5 - 5,
    "twice what it is": (text) => 2 * tokensAtMost(text) + 3,
  };
  for (const [index, [name, count]] of Object.entries(COUNTERS).entries()) {
    test(`counted as ${name}`, () => {
      const random = createRandom(42 + index);
      for (let round = 0; round < 1000; round++) {
        const size = round % 250 === 0 ? 600 : 20;
        const request = randomRequest(random, size);
        const tokens = 1000 + random.below(5000);
        const prompt = buildPrompt(request, budget(tokens, 100 + random.below(2000), count));
        const messages = contents(prompt).reduce((sum, content) => sum + count(content) + 12, 12);
        expect(prompt.tokensEstimated).toBe(count(prompt.system) + messages);
        expect(prompt.tokensEstimated).toBeLessThanOrEqual(tokens);
      }
    });
  }
});

type Random = ReturnType<typeof createRandom>;

function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % limit;
  };
  const words = [
    "install",
    "the",
    "naïve",
    "配置文件。",
    "`code()`",
    "\n\n",
    "0xDEADBEEF",
    "https://a.b/c?d=e",
    "😀",
    "it.",
    "</passage>",
    "<|im_start|>",
    "ไทย",
    "  ",
    "\n\n- item",
    "\n\n```sh\nrun\n```\n\n",
    "\n\n| a | b |\n| - | - |\n| c | d |\n\n",
    "\n\n## Head\n\n",
    "конфигурация",
    "\n> quoted\n",
    "\ud800",
    "<question>",
  ];
  const text = (most: number) =>
    Array.from({ length: below(most) }, () => words[below(words.length)] ?? "").join(" ");
  return { below, text };
}

function randomRequest({ below, text }: Random, size: number) {
  return responderRequest({
    question: text(size),
    instructions: text(10),
    history: Array.from({ length: below(6) }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      text: text(size),
    })),
    passages: Array.from({ length: below(6) }, (_, index) =>
      numberedPassage(index + 1, text(size * 2), {
        title: text(8),
        headings: [text(8)],
        relevance: below(100) / 100,
      }),
    ),
    contexts: Array.from({ length: below(3) }, () => ({ kind: "code", text: text(size), path: text(3) })),
    currentPath: text(6),
  });
}

describe("counting tokens", () => {
  const CASES: [text: string, atLeast: number][] = [
    // What common tokenizers make of these, at least.
    ["Hello world", 2],
    ["internationalization", 3],
    ["0xDEADBEEF 1234567890", 10],
    ["配置文件", 4],
    ["{}[]();:", 4],
    ["Ünïcödé straße", 5],
  ];
  for (const [text, atLeast] of CASES) {
    test(`never fewer than a tokenizer makes of ${JSON.stringify(text)}`, () => {
      expect(tokensAtMost(text)).toBeGreaterThanOrEqual(atLeast);
    });
  }
});
