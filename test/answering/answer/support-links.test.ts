import { describe, expect, test } from "bun:test";
import { createSupportLinks, createSupportReader } from "../../../src/answering/answer/support/support.ts";

const PASSAGES = [
  {
    number: 1,
    title: "Install",
    text: "Run the installer from your terminal.\n\n```sh\nacme up\n```",
    url: "https://d/install",
  },
  { number: 2, title: "Ports", text: "The server listens on port 8080 by default.", url: "https://d/ports" },
];
const ONE = "[[1]](https://d/install)";
const TWO = "[[2]](https://d/ports)";

function openLinks(options: Partial<Parameters<typeof createSupportLinks>[0]> = {}) {
  return createSupportLinks({
    passages: PASSAGES,
    question: "How do I run it?",
    similarities: async (pairs) => pairs.map(() => undefined),
    hasCited: () => false,
    notCovered: "The documentation doesn't cover this.",
    language: "en",
    pace: async () => {},
    readSupport: createSupportReader(),
    ...options,
  });
}

async function readAll(pieces: string[], hasCited = false) {
  const links = openLinks({ hasCited: () => hasCited });
  let text = "";
  for (const piece of pieces) text += await links.write(piece);
  text += await links.end();
  return { text, linked: links.linked(), share: links.share() };
}

describe("an answer in another language than the passages", () => {
  const docs = [
    {
      number: 1,
      title: "Backups",
      text: "A backup is one file that holds the whole database. You can copy it to another machine while the server runs.",
      url: "https://d/backups",
    },
  ];
  const share = async (written: string, passages = docs) => {
    const links = openLinks({ passages });
    await links.write(written);
    await links.end();
    return links.share();
  };

  for (const [language, written] of [
    [
      "German",
      "Eine Sicherung ist eine Datei, die die ganze Datenbank enthält. Man kann sie auf eine andere Maschine kopieren.",
    ],
    [
      "Spanish",
      "Una copia de seguridad es un archivo que contiene toda la base de datos. Se puede copiar a otra máquina.",
    ],
    [
      "Japanese",
      "バックアップはデータベース全体を含む一つのファイルです。サーバーの実行中にコピーできます。",
    ],
    ["Chinese", "备份是一个包含整个数据库的文件。您可以在服务器运行时复制它。"],
  ] as const)
    test(`(${language}) has no measured support, which would be none`, async () => {
      expect(await share(written)).toBeUndefined();
    });

  test("is measured by its numbers and names, which are the same in every language", async () => {
    const german = (port: number) =>
      `Der Server wartet auf Anfragen auf dem Port ${port}, und das ist immer so. Eine Sicherung ist eine Datei.`;
    const ports = [
      {
        ...docs[0],
        number: 1,
        title: "Ports",
        url: "https://d/ports",
        text: "The server listens on port 8080 by default, and this is so for all of the sites that it has.",
      },
    ];
    expect(await share(german(8080), ports)).toBe(1);
    expect(await share(german(9090), ports)).toBe(0);
  });

  test("is measured where a passage is in its language, or it is not certain", async () => {
    const german = {
      ...docs[0],
      number: 2,
      title: "Sicherungen",
      url: "https://d/de",
      text: "Eine Sicherung ist eine Datei, die die ganze Datenbank enthält und die man kopieren kann.",
    };
    const written = "Eine Sicherung ist eine Datei, die die ganze Datenbank enthält.";
    expect(await share(written, [...docs, german])).toBe(1);
    expect(await share("Apfelstrudel backen.")).toBe(0);
    expect(await share("The moon is made of cheese that you can eat with a spoon.")).toBe(0);
  });
});

const CASES: [name: string, written: string, read: string, linked: number[], share: number | undefined][] = [
  [
    "a paragraph",
    "Run the installer from your terminal.",
    `Run the installer from your terminal. ${ONE}`,
    [1],
    1,
  ],
  [
    "a paragraph of two sentences from two passages",
    "Run the installer from your terminal. The server listens on port 8080.\n\nBye.",
    `Run the installer from your terminal. The server listens on port 8080. ${ONE}${TWO}\n\nBye.`,
    [1, 2],
    1,
  ],
  [
    "each item of a list",
    "- Run the installer from your terminal\n- Wash your hands before dinner\n- The server listens on port 8080\n",
    `- Run the installer from your terminal ${ONE}\n- Wash your hands before dinner\n- The server listens on port 8080 ${TWO}\n`,
    [1, 2],
    2 / 3,
  ],
  [
    "a paragraph of two lines, before a heading",
    "Run the installer\nfrom your terminal.\n# Next\n",
    `Run the installer\nfrom your terminal. ${ONE}\n# Next\n`,
    [1],
    1,
  ],
  [
    "code",
    "Run this:\n\n```sh\nacme up\n```\n\nBye.",
    `Run this:\n\n\`\`\`sh\nacme up\n\`\`\`\n\n${ONE}\n\nBye.`,
    [1],
    1,
  ],
  [
    "a table",
    "| a | b |\n| - | - |\n| server listens | port 8080 |\n\nBye.",
    `| a | b |\n| - | - |\n| server listens | port 8080 |\n\n${TWO}\n\nBye.`,
    [2],
    1,
  ],
  ["what nothing carries", "Wash your hands before dinner.", "Wash your hands before dinner.", [], 0],
  [
    "what says that the docs do not answer",
    "The documentation doesn't cover this.",
    "The documentation doesn't cover this.",
    [],
    undefined,
  ],
  ["a changed number", "The server listens on port 9090.", "The server listens on port 9090.", [], 0],
];

describe("links to what carries an answer that cites nothing", () => {
  for (const [name, written, read, linked, share] of CASES) {
    test(`behind ${name}, however it is cut`, async () => {
      expect(await readAll([written])).toEqual({ text: read, linked, share });
      expect(await readAll([...written])).toEqual({ text: read, linked, share });
    });
  }

  test("are not put where the model cites itself, and what it cites is looked at", async () => {
    const right = `Run the installer from your terminal ${ONE}.`;
    expect(await readAll([right], true)).toEqual({ text: right, linked: [], share: 1 });
    const wrong = `Run the installer from your terminal ${TWO}.`;
    expect(await readAll([wrong], true)).toEqual({ text: wrong, linked: [], share: 0 });
  });

  test("let one piece of one answer after the other be held against the passages", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    let waiting = 0;
    const links = openLinks({
      pace: () => {
        waiting += 1;
        return opened;
      },
    });
    const read = links.write("Run the installer from your terminal.\n\n");
    while (waiting === 0) await Bun.sleep(0);
    expect([waiting, links.share()]).toEqual([1, undefined]);
    open();
    expect(await read).toContain(ONE);
  });

  test("leave every other letter as it was, and as soon as it is decided", async () => {
    const links = openLinks();
    expect(await links.write("Run the installer")).toBe("Run the installer");
    expect(await links.write(" from your terminal.")).toBe(" from your terminal.");
    expect(await links.write("\n\n")).toBe(` ${ONE}`);
    expect(await links.write("B")).toBe("\n\nB");
    const markdown = "# a\n\n> b\n> - c\n\n```\nd\n\n\ne\n```\n1. f\n\n\n   g\n~~~\nh";
    expect((await readAll([...markdown])).text).toBe(markdown);
  });
});

test("while a long paragraph is compared with the passages, what else there is to do has its turns", async () => {
  let turns = 0;
  let reading = true;
  const take = () => {
    turns++;
    if (reading) setImmediate(take);
  };
  setImmediate(take);
  await readAll(["The server listens on a port of its own by default. ".repeat(200)]);
  reading = false;
  expect(turns).toBeGreaterThanOrEqual(10);
});
