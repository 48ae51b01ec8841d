import { expect, test } from "bun:test";
import { shownCode } from "../../../src/reading/generators/writing/writing.ts";

const shown = (...lines: string[]) => shownCode("ts", lines).lines;

test("of an example for Twoslash only what its readers see is shown", () => {
  expect(
    shown("import { Hono } from 'hono'", "const app = new Hono()", "// ---cut---", "app.get('/')"),
  ).toEqual(["app.get('/')"]);
  expect(shown("const a = 1", "// ---cut-before---", "log(a)", "// ---cut-after---", "end()")).toEqual([
    "log(a)",
  ]);
  expect(shown("one()", "// ---cut-start---", "hidden()", "// ---cut-end---", "two()")).toEqual([
    "one()",
    "two()",
  ]);
  expect(shown("// ---- cut here ----", "git apply")).toEqual(["// ---- cut here ----", "git apply"]);
});
