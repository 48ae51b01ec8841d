import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMarkdownUnescaper } from "../../src/cli/terminal/text.ts";
import { runInProcess } from "../helpers/run-in-process.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const PAGE = `# Reference

## The \`__init__\` file and \`*.yml\`

- The init file is read before the patterns, whose backslash is \`\\*\`.
`;

const folder = temporaryDirectory();
const environment = { DOCENT_DATA: join(folder.path, "data"), DOCENT_PRELOAD: "off" };
const docs = join(folder.path, "docs");
beforeAll(async () => {
  mkdirSync(docs);
  writeFileSync(join(docs, "reference.md"), PAGE);
  for (const words of [
    ["sites", "add", "acme", "--url", "https://docs.acme.example"],
    ["ingest", "acme", docs],
  ])
    expect((await runInProcess(words, { environment })).code).toBe(0);
});
afterAll(() => folder[Symbol.dispose]());

test("an answer in a terminal shows a heading with code in it, and code itself, without escapes of its own", async () => {
  const { out } = await runInProcess(["ask", "acme", "which init file is read before the patterns?"], {
    environment,
    columns: 100,
  });
  const shown = Bun.stripANSI(out);
  expect(shown).toContain("\nThe __init__ file and *.yml\n");
  expect(shown).toContain("│ - The init file is read before the patterns, whose backslash is \\*. [1]\n");
  const title = "Reference › The __init__ file and *.yml";
  const address = "https://docs.acme.example/reference#the-__init__-file-and-yml";
  expect(shown).toContain(`[1] ${title}\n    ${address}\n`);
});

test("a source has its address beside it where that fits, and is a link to it", async () => {
  const words = ["ask", "acme", "which init file is read before the patterns?"];
  const { out } = await runInProcess(words, { environment, columns: 200 });
  expect(Bun.stripANSI(out)).toMatch(/\[1\] Reference › .* {2}https:\/\/docs\.acme\.example\/reference#/);
  expect(out).toContain("\u001b]8;;https://docs.acme.example/reference#");
});

test("an answer in a pipe is Markdown, and sources have their addresses", async () => {
  const words = ["ask", "acme", "which init file is read before the patterns?"];
  const { out } = await runInProcess(words, { environment });
  expect(out).toContain("**The __init__ file and *.yml**");
  expect(out).toContain("> - The init file is read before the patterns, whose backslash is `\\*`. [1]\n");
  expect(out).toMatch(/\[1\] Reference › .* \(https:\/\/docs\.acme\.example\/reference#/);
});

describe("what a pipe gets of Markdown", () => {
  test.each([
    [
      "a mark that was escaped is shown",
      "**The \\_\\_init\\_\\_ \\<file> \\`x\\`**",
      "**The __init__ <file> `x`**",
    ],
    ["a backslash that escapes nothing stays", "C:\\temp and \\\\*", "C:\\temp and \\*"],
    ["code keeps its backslashes", "`\\*` and ``\\` \\*`` and \\*", "`\\*` and ``\\` \\*`` and *"],
    ["a block keeps them", "> ```sh\n> a \\* ``` \\_\n> ```\n\\*", "> ```sh\n> a \\* ``` \\_\n> ```\n*"],
    ["a block of tildes keeps them", "- ~~~\n  \\* ` \\_\n  ~~~\n\\*", "- ~~~\n  \\* ` \\_\n  ~~~\n*"],
    ["tildes within a line are no code", "a ~~\\*~~ b", "a ~~*~~ b"],
  ])("%s, wherever the answer is cut into pieces", (_, markdown, shown) => {
    for (let cut = 0; cut <= markdown.length; cut++) {
      const unescaper = createMarkdownUnescaper();
      const pieces = [markdown.slice(0, cut), markdown.slice(cut)].map(unescaper.write);
      expect(pieces.join("") + unescaper.end()).toBe(shown);
    }
    const unescaper = createMarkdownUnescaper();
    expect([...markdown].map(unescaper.write).join("") + unescaper.end()).toBe(shown);
  });
});
