import { expect, test } from "bun:test";
import { createPacer } from "../../../src/kernel/lib/event-loop.ts";

test("callers go through in their order, each in a turn of the event loop of its own", async () => {
  const pace = createPacer();
  let turn = 0;
  const count = () => {
    if (turn++ < 10) setImmediate(count);
  };
  setImmediate(count);
  const passed = await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      await pace();
      return { name, turn };
    }),
  );
  expect(passed.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(new Set(passed.map((each) => each.turn)).size).toBe(3);
});

test("who comes alone does not wait for a turn of the event loop", async () => {
  const pace = createPacer();
  await pace();
  await new Promise((resolve) => setImmediate(resolve));
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  await pace();
  expect(turned).toBe(false);
});
