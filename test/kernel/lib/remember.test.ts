import { describe, expect, test } from "bun:test";
import { remembering } from "../../../src/kernel/lib/remember.ts";

describe("remembering", () => {
  function counted(textsKept: number) {
    const worked: string[] = [];
    const read = remembering((text, of) => {
      worked.push(`${of}:${text}`);
      return text.toUpperCase();
    }, textsKept);
    return { worked, read };
  }

  test("a text is worked on once, for each thing that is asked of it", () => {
    const { worked, read } = counted(10);
    expect([read("a", "en"), read("a", "en"), read("a", "de"), read("a", "en")]).toEqual([
      "A",
      "A",
      "A",
      "A",
    ]);
    expect(worked).toEqual(["en:a", "de:a"]);
  });

  test("no more texts are kept than said, and those used last stay", () => {
    const { worked, read } = counted(2);
    for (const text of ["a", "b", "a", "c", "a", "b"]) read(text);
    expect(worked).toEqual([":a", ":b", ":c", ":b"]);
  });

  test("what is asked and the text are told apart, wherever one ends and the other begins", () => {
    const { worked, read } = counted(10);
    read("c", "a\nb");
    read("b\nc", "a");
    expect(worked).toEqual(["a\nb:c", "a:b\nc"]);
  });
});
