import { describe, expect, test } from "bun:test";
import { readWording } from "../../../src/measuring/eval/answers/wording.ts";

const read = (answer: string, ...known: string[]) => readWording(answer, known);

describe("what is said of an answer's words", () => {
  test("its length is what a reader sees, without marks and citations", () => {
    expect(read("> It is **90** days. [[1]](https://docs.example/retention#default)").characters).toBe(14);
  });

  test("a short answer is held where its words stand together", () => {
    expect(read("> The port is 8080, unless it is 80. [[1]](/a)", "8080").holdsAnswer).toBe(true);
    expect(read("> The port is 18080.", "8080").holdsAnswer).toBe(false);
    expect(read("> Panthers of Carolina", "Carolina Panthers").holdsAnswer).toBe(false);
  });

  test("a longer answer is held where four in five of its words are there, and one of several is enough", () => {
    const known = "AMI supports tagging on creation of images";
    expect(read("On creation, AMI supports tagging of snapshots and images.", known).holdsAnswer).toBe(true);
    expect(read("AMI supports images.", known).holdsAnswer).toBe(false);
    expect(read("AMI supports images.", known, "images").holdsAnswer).toBe(true);
    expect(read("AMI supports images.").holdsAnswer).toBeUndefined();
  });

  test("an answer in a script without spaces is held wherever it stands", () => {
    expect(read("> 默认端口是八千零八十。", "八千零八十").holdsAnswer).toBe(true);
  });

  test("a sentence of a few characters is a fragment; an item, a row, code and a heading are not", () => {
    expect(read("> train.SyncConfig").hasFragment).toBe(true);
    expect(
      read("**Ports**\n\n> - 8080\n\n> | a | b |\n> | --- | --- |\n> | 1 | 2 |\n\n```\nls\n```").hasFragment,
    ).toBe(false);
  });

  test("nearly the same sentence twice is a repetition", () => {
    const once = "Retention lasts 90 days unless a site says otherwise.";
    expect(read(`> ${once}\n\n> ${once.replace("a site", "the site")}`).repeats).toBe(true);
    expect(read(`> ${once}\n\n> Backups are kept for a week.`).repeats).toBe(false);
  });

  test("markup counts outside of code", () => {
    for (const text of ["> {{< tabs >}}", "> .. note:: Mind", "::: tip", "<Tabs>", "[!NOTE]", "{/* x */}"]) {
      expect(read(text).hasMarkup, text).toBe(true);
    }
    expect(read("> Write `{{< tabs >}}`:\n\n```md\n::: tip\n```").hasMarkup).toBe(false);
  });
});
