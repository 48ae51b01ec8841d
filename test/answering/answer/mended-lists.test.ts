import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createListMender } from "../../../src/answering/answer/write/mended-lists.ts";
import { html } from "../../faces/markdown/show.ts";
import { question, startDocent } from "../../helpers/docent.ts";
import { registerDom } from "../../helpers/dom.ts";
import { startFakeOllama } from "../../helpers/fake-ollama.ts";

let unregister: () => Promise<void>;
beforeAll(() => {
  unregister = registerDom();
});
afterAll(() => unregister());

function mended(text: string): string {
  const mender = createListMender();
  return mender.write(text) + mender.end();
}

function byLetter(text: string): string {
  const mender = createListMender();
  return [...text].map((letter) => mender.write(letter)).join("") + mender.end();
}

const code = (text: string, language = "sh") =>
  `<div class="code"><pre data-language="${language}"><code>${text}</code></pre></div>`;

describe("code in the items of a list is theirs, however a model has indented it", () => {
  const WHOLE = `<ol><li><p>a</p>${code("x\n\n  y")}</li><li><p>b</p></li></ol>`;
  test.each([
    ["with its lines at the margin", "1. a\n   ```sh\nx\n\n  y\n   ```\n2. b"],
    ["with its lines and its end at the margin", "1. a\n   ```sh\nx\n\n  y\n```\n2. b"],
    ["with its end at the margin", "1. a\n     ```sh\n     x\n\n       y\n```\n2. b"],
    [
      "too deep, behind a blank line",
      "1. a\n\n         ```sh\n         x\n\n           y\n         ```\n\n2. b",
    ],
    ["too deep, behind words", "1. a\n       ```sh\n       x\n\n         y\n       ```\n2. b"],
    ["with an end that is too deep", "1. a\n   ```sh\n   x\n\n     y\n           ```\n2. b"],
  ])("%s", (_, text) => {
    expect(html(text)).not.toBe(WHOLE);
    expect(html(mended(text))).toBe(WHOLE);
    expect(byLetter(text)).toBe(mended(text));
  });

  test("beside the mark, in lists of lists, and where it looks like a list", () => {
    expect(html(mended("1. ```sh\nx\n```\n2. b"))).toBe(`<ol><li>${code("x")}</li><li><p>b</p></li></ol>`);
    expect(html(mended("- a\n  - b\n    ```yaml\n- c: 1\n```\n  - d"))).toBe(
      `<ul><li><p>a</p><ul><li><p>b</p>${code("- c: 1", "yaml")}</li><li><p>d</p></li></ul></li></ul>`,
    );
  });

  test("and ends with them where it is never closed", () => {
    const text = "1. a\n   ```sh\nx\n2. b\n   ```sh\n   y\n3. c";
    expect(html(mended(text))).toBe(
      `<ol><li><p>a</p>${code("x")}</li><li><p>b</p>${code("y")}</li><li><p>c</p></li></ol>`,
    );
    expect(mended("1. a\n   ```sh\nx\n   ```py\ny\n```")).toBe(
      "1. a\n   ```sh\n   x\n   ```\n   ```py\n   y\n   ```",
    );
  });
});

describe("numbers go on behind code", () => {
  test.each([
    ["1. a\n```sh\nx\n```\n1. b\n\n```sh\ny\n```\n\n1. c", ["1", "2", "3"]],
    ["1. a\n```sh\nx\n```\nLook.\n2. b\n```sh\ny\n```\nLook.\n3. c", ["1", "2", "3"]],
    ["1. a\n```sh\nx\n    ```\n2. b", ["1", "2"]],
    // Another list, as far as anybody can tell.
    ["1. a\n\nThen:\n\n1. b", ["1", "1"]],
    ["1. a\n2. b\n```sh\nx\n```\n1. c", ["1", "1"]],
    ["1. a\n```sh\nx\n```\n# Else\n1. b", ["1", "1"]],
    // Words, which begin with a number by chance.
    ["Made in\n2. hand", []],
    ["1. a\n\nof\n4. hands", ["1"]],
  ])("%j", (text, starts) => {
    const lists = [...html(mended(text)).matchAll(/<ol(?: start="(\d+)")?>/g)];
    expect(lists.map(([, start]) => start ?? "1")).toEqual(starts);
    expect(byLetter(text)).toBe(mended(text));
  });
});

describe("what Markdown reads as it was meant", () => {
  test("stays as it is, down to the letter", () => {
    const folder = join(import.meta.dir, "../../../docs");
    const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8");
      expect([file, mended(text) === text]).toEqual([file, true]);
    }
    for (const text of [
      "1. a\n   ```sh\n   x\n   ```\n2. b",
      "10. a\n\n    ```sh\n    x\n    ```\n\n11. b\n",
      "- a\n\n  words\n\n- b\n  > ```\n  > x\n  > ```\n",
      "    ```\n    shown\n    ```\n\n```md\n1. a\n\n    ```sh\n    x\n    ```\n```\n",
      "1. a\n\t```make\n\tall:\n\t\tcc x\n\t```\n2. b",
      "* * *\n- - x\n+ 1. y\n   2. z\n\nwords\n- ```",
      "~~~\n1. a\n   ```\nb\n~~~\n2. c",
    ]) {
      expect(mended(text)).toBe(text);
      expect(byLetter(text)).toBe(text);
    }
  });

  test("comes without waiting for the end of its line", () => {
    const mender = createListMender();
    expect(mender.write("Some wo")).toBe("Some wo");
    expect(mender.write("rds\n1")).toBe("rds\n");
    expect(mender.write(". ")).toBe("");
    expect(mender.write("Run")).toBe("1. Run");
    expect(mender.write(" `x`")).toBe(" `x`");
    expect(mender.write("\n  ``")).toBe("\n");
    expect(mender.write("a``")).toBe("  ``a``");
  });
});

test("a model's answer reaches readers so, with its citations", async () => {
  const ollama = startFakeOllama();
  ollama.replyWith({ text: "1. Get it [1]:\n   ```sh\nacme-get\n```\n2. Run it." });
  const docent = await startDocent({ ollama: ollama.url });
  try {
    const reply = await docent.post(question("How do I install Acme on Linux?"));
    const said = [...(await reply.text()).matchAll(/^0:(.*)$/gm)]
      .map(([, text = ""]) => JSON.parse(text))
      .join("");
    expect(said).toMatch(/^1\. Get it \[\[1\]\]\(\S+\):\n {3}```sh\n {3}acme-get\n {3}```\n2\. Run it\./);
  } finally {
    await docent.close();
    await ollama.stop();
  }
});
