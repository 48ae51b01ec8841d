import { describe, expect, test } from "bun:test";
import { createConcurrency } from "../../../src/people/limits/concurrency.ts";

describe("concurrency", () => {
  test("a subject has as many places as the bound says, and gets one back when it leaves", () => {
    const { enter } = createConcurrency(2);
    const leave = enter("a");
    expect([leave !== undefined, enter("a") !== undefined, enter("a")]).toEqual([true, true, undefined]);
    leave?.();
    expect(enter("a")).toBeDefined();
    expect(enter("a")).toBeUndefined();
  });

  test("leaving twice gives back one place", () => {
    const { enter } = createConcurrency(2);
    const leave = enter("a");
    enter("a");
    leave?.();
    leave?.();
    expect(enter("a")).toBeDefined();
    expect(enter("a")).toBeUndefined();
  });

  test("subjects do not share their places", () => {
    const { enter } = createConcurrency(1);
    expect([enter("a") !== undefined, enter("b") !== undefined, enter("a")]).toEqual([true, true, undefined]);
  });

  test("0 is no bound", () => {
    const { enter } = createConcurrency(0);
    for (let index = 0; index < 1000; index++) expect(enter("a")).toBeDefined();
  });
});
