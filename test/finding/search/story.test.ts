import { describe, expect, test } from "bun:test";
import foreignQuestions from "../../../src/finding/search/relevance/foreign-questions.txt" with {
  type: "text",
};
import { readOrdinaryWords } from "../../../src/finding/search/relevance/relevance.ts";
import type { SearchQuery } from "../../../src/finding/search/search.ts";
import {
  askedIn,
  lessOfEveryday,
  readStory,
  termsOf,
  textOf,
} from "../../../src/finding/search/story/story.ts";
import everydayQuestions from "../../../src/measuring/eval/gate/everyday-questions.txt" with { type: "text" };
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { ownSections, publishedDocs } from "../../helpers/published-docs.ts";

const linesOf = (question: string, kind = "said") =>
  readStory(question)?.lines.flatMap((line) => (line.kind === kind ? [line.text] : []));

const sharesOf = (question: string) => {
  const story = readStory(question);
  if (story === undefined) throw new Error("a single sentence");
  return termsOf(textOf(story), story);
};

const TRACE = `npm ERR! code ELIFECYCLE
npm ERR! errno 1
npm ERR! Failed at the app@1.0.0 start script.
TypeError: Cannot read properties of undefined (reading 'port')
    at Module._compile (node:internal/modules/cjs/loader:1358:14)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:174:12)`;

const LOG = TRACE.replace(/^TypeError.*\n/m, "");

describe("a question of a single sentence", () => {
  const lists = [...foreignQuestions.trim().split("\n"), ...everydayQuestions.trim().split("\n")];
  const single = [
    ...lists,
    "port",
    "How do I install it",
    "How do I use Node.js v20.1.3, e.g. with nvm?",
    "What does `a. B.` mean in the table?",
    "我怎么安装？",
    "¿Cómo lo instalo?",
    "an e-mail is wrapped here,\nand goes on",
    "const port = 80;\nlisten(port);",
    "",
  ];
  test("is no story, and is searched for as it was", () => {
    expect(lists.length).toBeGreaterThan(250);
    for (const question of single) expect([question, readStory(question)]).toEqual([question, undefined]);
    for (const question of single)
      expect(askedIn(question)).toEqual({
        text: question,
        shares: undefined,
        near: question,
        asking: question,
      });
  });
});

describe("a question of several sentences", () => {
  test.each([
    ["Hi! We use nginx. How do I set the port?", ["Hi!", "We use nginx.", "How do I set the port?"]],
    ["大家好。服务器已经安装。请问怎么设置端口？", ["大家好。", "服务器已经安装。", "设置端口？"]],
    [
      "Всем привет! Сервер работает. Как сменить порт?",
      ["Всем привет!", "Сервер работает.", "Как сменить порт?"],
    ],
    [
      "it runs on port 80,\nwhich is wrong\nhow do I change it",
      ["it runs on port 80, which is wrong how do I change it"],
    ],
    ["1. Start it.\n2. Stop it.", ["1. Start it.", "2. Stop it."]],
  ])("%p is read by its sentences", (question, sentences) => {
    const parts = linesOf(`${question}\n\n\`\`\`\nx\n\`\`\``);
    expect(parts).toEqual(sentences);
  });

  test("code is told from what is said, in a fence and without one", () => {
    for (const code of ["```js\nlisten(port)\n```", "    listen(port)", "listen(port);", "$ docent serve"]) {
      const question = `The server starts.\n\n${code}\n\nHow do I change that?`;
      expect(linesOf(question)).toEqual(["The server starts.", "How do I change that?"]);
      expect(linesOf(question, "code")).toHaveLength(1);
    }
  });

  test("of what programs wrote, only the error is searched for", () => {
    const question = `We installed the server on a new machine and it does not start. How do I choose a port?\n\n${TRACE}`;
    expect(linesOf(question, "error")).toEqual([
      "TypeError: Cannot read properties of undefined (reading 'port')",
    ]);
    expect(linesOf(question, "code")).toEqual([]);
    expect(linesOf(question)).toHaveLength(2);
  });

  test("a log is searched for where nothing else is said", () => {
    expect(textOf(readStory(`Why?\n\n${LOG}`) ?? { lines: [] })).toContain("ELIFECYCLE");
  });

  test("a list of versions is no sentence, and a sentence that names one is", () => {
    const question =
      "The page stays white since the update to version 2.1 of the server. What can I do?\n\n- OS: Ubuntu 22.04\n- Node: v20.11.1\n- Docker 24.0.7";
    expect(linesOf(question)).toEqual([
      "The page stays white since the update to version 2.1 of the server.",
      "What can I do?",
    ]);
  });

  test("what stands near the question mark counts more, first or last", () => {
    const last = sharesOf("We have a bakery. It is old. The oven works. How do I restore backups?").shares;
    expect(last.get("backup")).toBeGreaterThan((last.get("bakeri") ?? 0) * 2);
    const first = sharesOf("How do I restore backups? We have a bakery. It is old. The oven works.").shares;
    expect(first.get("backup")).toBeGreaterThan((first.get("oven") ?? 0) * 2);
    const unmarked = sharesOf(
      "We have a bakery. It is old. The oven works. I want to restore backups",
    ).shares;
    expect(unmarked.get("backup")).toBeGreaterThan((unmarked.get("bakeri") ?? 0) * 2);
  });

  test("what comes again counts more, but not what code repeats", () => {
    const said = sharesOf("The queue is slow. The queue is long. The printer is slow. What now?").shares;
    expect(said.get("queue")).toBeGreaterThan(said.get("printer") ?? 0);
    const code = sharesOf("It is slow. What now?\n\n```\nqueue();\nqueue();\nprinter();\n```").shares;
    expect(code.get("queue")).toBe(code.get("printer") ?? 0);
  });

  test("everyday words that docs hardly have count less, and unknown ones do not", async () => {
    const { shares } = sharesOf("We are a hospital with a zorbler. The queue is long. How do I empty it?");
    const of = new Map([
      ["queue", 200],
      ["hospit", 1],
      ["zorbler", 1],
    ]);
    const less = lessOfEveryday(shares, { passages: 4000, of }, await readOrdinaryWords());
    const loss = (term: string) => (less.get(term) ?? 0) / (shares.get(term) ?? 1);
    expect(loss("hospit")).toBeLessThan(loss("queue") / 2);
    expect(loss("zorbler")).toBeCloseTo(loss("queue"));
    expect([...less.values()].reduce((sum, share) => sum + share, 0) / less.size).toBeCloseTo(1);
  });

  test("shares are 1 on average", () => {
    const shares = [...sharesOf("We have a bakery. It is old. How do I restore backups?").shares.values()];
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeCloseTo(1);
  });

  test("what is asked are the sentences that ask, those just before, and errors", () => {
    const { asked } = sharesOf(
      `My sister owns a bakery. She is nice. She has a shop. She has a server. It needs backups. How do I restore one?\n\n${TRACE}`,
    );
    for (const term of ["backup", "restor", "typeerror"]) expect(asked).toContain(term);
    for (const term of ["sister", "bakeri"]) expect(asked).not.toContain(term);
    expect(askedIn("Hi. It is slow. How do I restore it? Thanks.").asking).toBe("How do I restore it?");
  });
});

const EMBEDDER = createBuiltinEmbedder(readBuiltinAsset);
async function opened(embedder: typeof EMBEDDER | undefined = EMBEDDER) {
  const docs = await publishedDocs(await ownSections(), { embedder, isWord: EMBEDDER.isWord });
  const find = async (text: string, change: Partial<SearchQuery> = {}) =>
    (await docs.find(text, { pageSize: 5, ...change })).hits;
  return { ...docs, find };
}

describe("a story finds what it asks", () => {
  const told = `Hi all! I am the new admin of a small bakery, and my boss wants everything to be safe. We ran the installer last week on a Debian machine behind nginx, and the chat is on our page and answers in German and Turkish. Yesterday the disk of the machine broke. How do I restore a backup? Thanks in advance!`;
  const german = `Hallo zusammen, ich bin neu hier. Wir haben den Server letzte Woche eingerichtet und alles läuft. Gestern ging die Festplatte kaputt. Wie kann ich eine Sicherungskopie wiederherstellen? Vielen Dank!`;
  test.each([told, german])("%p", async (story) => {
    using it = await opened();
    const hits = await it.find(story);
    expect(hits.map(({ path }) => path.split("/")[0])).toContain("storage.md");
    expect(hits[0]?.relevance).toBeGreaterThan(0.5);
  });

  test("whatever log is pasted below it", async () => {
    using it = await opened();
    const [without] = await it.find(told);
    const noise = `\n\n\`\`\`\n${LOG}\n\`\`\`\n\n- OS: Ubuntu 22.04\n- Node: v20.11.1\n- Docker 24.0.7`;
    const [found] = await it.find(told + noise);
    expect(found?.path).toBe(without?.path ?? "");
    expect(found?.score).toBeCloseTo(without?.score ?? 0);
    expect(found?.relevance).toBeCloseTo(without?.relevance ?? 0);
  });

  test("code is not translated, nor taken for the language of a question", async () => {
    using it = await opened();
    const code =
      "\n\n```\nfor (const line of await readLines(file)) {\n  if (line.startsWith('the')) console.log(line);\n}\n```";
    const hits = await it.find(german + code);
    expect(hits.map(({ path }) => path.split("/")[0])).toContain("storage.md");
  });

  test("while it is typed, it is searched for as it is", async () => {
    using it = await opened();
    const typed = await it.find("We run a bakery. How do I restore a back", { asYouType: true });
    expect(typed.length).toBeGreaterThan(0);
  });
});

test("a story about something else is not answered for what it says besides", async () => {
  using it = await opened();
  const hits = await it.find(
    "Our server runs on Debian, and the backup works every night. On Sunday my aunt visits us. She likes apple cake with cinnamon. How long do I bake an apple cake in the oven?",
  );
  for (const { relevance } of hits) expect(relevance).toBeLessThan(0.5);
});
