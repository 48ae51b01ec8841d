import { describe, expect, test } from "bun:test";
import { accentOf, CONTRAST_MIN, type Color, contrast, parseColor } from "../../../src/kernel/text/colors.ts";

const color = (text: string): Color => parseColor(text) ?? expect.unreachable();

const STEPS = [0, 36, 73, 109, 146, 182, 219, 255];
const EVERY_COLOR = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue): Color => [red, green, blue])),
);

describe("colours", () => {
  test("words can be read on every accent, and every accent can be read where it is words", () => {
    for (const each of EVERY_COLOR) {
      const accent = accentOf(each);
      const pairs = [
        [accent.fill, accent.onFill],
        [accent.light, "#ffffff"],
        [accent.light, accent.softLight],
        [accent.dark, "#1a1d20"],
        [accent.dark, accent.softDark],
      ] as const;
      for (const [one, other] of pairs) {
        const apart = contrast(color(one), color(other));
        if (apart < CONTRAST_MIN) expect.unreachable(`${each}: ${one} on ${other} is ${apart}`);
      }
    }
  });

  test("what is filled has the owner's own colour", () => {
    expect(accentOf([245, 217, 10]).fill).toBe("#f5d90a");
    expect(accentOf([245, 217, 10]).onFill).toBe("#000000");
  });

  test("an accent that can be read as it is, is left as it is", () => {
    expect(accentOf(color("#1d4ed8")).light).toBe("#1d4ed8");
  });

  test.each(["#12", "#12345", "red", "rgb(1,2,3)", "#12345g", "#fff;}", "url(x)", ""])(
    "%s is no colour",
    (text) => {
      expect(parseColor(text)).toBeUndefined();
    },
  );

  test("short colours are read", () => {
    expect(parseColor("#0aF")).toEqual([0, 170, 255]);
  });
});
