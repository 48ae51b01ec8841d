import { expect, test } from "bun:test";
import { createHealth } from "../../../src/models/ollama/pool/health.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";

const open = (random = 1) => {
  const { clock, advance } = fakeClock();
  return { health: createHealth({ clock, random: () => random }), advance };
};

test("a server is well until it fails, and then left alone until it is due", () => {
  const { health, advance } = open();
  expect([health.isResting(), health.isDue()]).toEqual([false, false]);
  health.failed();
  expect([health.isResting(), health.isDue()]).toEqual([true, false]);
  advance(1000);
  expect([health.isResting(), health.isDue()]).toEqual([true, true]);
  health.recovered();
  expect([health.isResting(), health.isDue()]).toEqual([false, false]);
});

test("it is left alone for twice as long each time, a minute at most, until it does what it is there for", () => {
  const { health, advance } = open();
  const pauses = Array.from({ length: 40 }, () => {
    const pause = health.failed() ?? 0;
    advance(pause);
    health.recovered();
    return pause;
  });
  expect(pauses.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(pauses.at(-1)).toBe(60_000);
  health.worked();
  expect(health.failed()).toBe(1000);
});

test("several answers that end at once are one failure", () => {
  const { health, advance } = open();
  expect([health.failed(), health.failed(), health.failed()]).toEqual([1000, undefined, undefined]);
  advance(1000);
  expect(health.failed()).toBe(2000);
});

test("chance decides up to half of a pause", () => {
  expect([open(0).health.failed(), open(0.5).health.failed()]).toEqual([500, 750]);
});

test("a clock that is put back does not keep it from being tried for as long", () => {
  const { health, advance } = open();
  advance(86_400_000);
  health.failed();
  advance(-86_400_000);
  expect(health.isDue()).toBe(true);
  expect(health.failed()).toBe(2000);
});
