import { describe, expect, test } from "bun:test";
import { createKeptStates } from "../../../src/people/identity/kept-state.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { memoryOnce } from "../../helpers/memory-once.ts";

const KEPT = {
  provider: "company",
  purpose: "member",
  state: "s".repeat(33),
  nonce: "n".repeat(33),
  codeVerifier: "v".repeat(66),
  returnTo: "/",
} as const;

function open(secret = "secret") {
  const { clock, advance } = fakeClock();
  return { states: createKeptStates({ secret, clock, once: memoryOnce() }), advance };
}

describe("what a browser keeps while it is at a provider", () => {
  test("comes back as it was, for ten minutes", () => {
    const { states, advance } = open();
    const sealed = states.seal(KEPT);
    expect(states.open(sealed)).toMatchObject(KEPT);
    advance(600_000);
    expect(states.open(sealed)).toBeUndefined();
  });

  test("may be used once", async () => {
    const { states } = open();
    const kept = { ...KEPT, until: TEST_TIME + 1 };
    expect([await states.use(kept), await states.use(kept)]).toEqual([true, false]);
  });

  test("is nothing where a letter of it is another, or another server sealed it", () => {
    const { states } = open();
    const sealed = states.seal(KEPT);
    const changed = Buffer.from(JSON.stringify({ ...KEPT, until: 1e15 })).toString("base64url");
    for (const wrong of [
      "",
      ".",
      "x",
      `${sealed}x`,
      sealed.slice(1),
      `${changed}.${sealed.split(".")[1]}`,
      `${sealed}.x`,
    ])
      expect(states.open(wrong)).toBeUndefined();
    expect(states.open(open("other").states.seal(KEPT))).toBeUndefined();
  });
});
