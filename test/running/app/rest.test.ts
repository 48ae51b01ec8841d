import { expect, test } from "bun:test";
import { createRest } from "../../../src/running/upkeep/upkeep.ts";
import { question, startDocent } from "../../helpers/docent.ts";

function resting() {
  const state = { isAtRest: true, residentBytes: 80_000_000, collections: 0, releases: 0, codes: 0 };
  const rest = createRest({
    isAtRest: () => state.isAtRest,
    residentBytes: () => state.residentBytes,
    releaseMemory() {
      state.releases += 1;
    },
    collect({ code }) {
      state.collections += 1;
      if (code) state.codes += 1;
      state.residentBytes -= 40_000_000;
    },
  });
  return { state, look: rest.look };
}

/** One that has given back what its start took. */
function rested() {
  const { state, look } = resting();
  state.residentBytes = 120_000_000;
  for (let count = 0; count < 2; count++) look();
  Object.assign(state, { collections: 0, releases: 0, codes: 0 });
  return { state, look };
}

test("what the start took is given back at the second look at which nobody waits", () => {
  const { state, look } = resting();
  look();
  expect(state.collections).toBe(0);
  for (let count = 0; count < 3; count++) look();
  expect(state).toMatchObject({ collections: 1, releases: 1, codes: 1 });
});

test("memory that has grown is given back, and then not again; compiled code stays", () => {
  const { state, look } = rested();
  state.residentBytes = 180_000_000;
  for (let count = 0; count < 3; count++) look();
  expect(state).toMatchObject({ collections: 1, releases: 1, codes: 0 });
});

test("compiled code is given back once in a long rest, and again only after somebody has asked", () => {
  const { state, look } = rested();
  const rest = (looks: number) => {
    for (let count = 0; count < looks; count++) look();
  };
  rest(190);
  expect(state.codes).toBe(0);
  rest(1_000);
  expect(state).toMatchObject({ collections: 1, codes: 1 });
  state.isAtRest = false;
  look();
  state.isAtRest = true;
  rest(199);
  expect(state.codes).toBe(1);
  rest(1_000);
  expect(state.codes).toBe(2);
});

test("what is given back after a collection counts to it", () => {
  const { state, look } = rested();
  state.residentBytes = 180_000_000;
  look();
  state.residentBytes = 100_000_000;
  look();
  state.residentBytes = 130_000_000;
  look();
  expect(state.collections).toBe(2);
});

test("nothing stops the process while somebody waits, nor where little has grown", () => {
  const { state, look } = rested();
  state.residentBytes = 90_000_000;
  for (let count = 0; count < 3; count++) look();
  state.residentBytes = 180_000_000;
  state.isAtRest = false;
  for (let count = 0; count < 3; count++) look();
  expect(state.collections).toBe(0);
});

test("a server answers as before once its memory was given back", async () => {
  const docent = await startDocent();
  const ask = async () => (await docent.post(question("How do I install it?"), { version: "v2" })).text();
  const withoutIds = (text: string) => text.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, "");
  const before = withoutIds(await ask());
  docent.app.parts.storage.releaseMemory();
  expect(withoutIds(await ask())).toBe(before);
  expect(before).toContain("install");
  await docent.close();
});
