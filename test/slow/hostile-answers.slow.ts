import { expect, test } from "bun:test";
import { harmIn, hostileAnswer, randomFrom, shownOf, shrunk } from "../helpers/hostile-answers.ts";

/** More of them, from another seed: FUZZ_ROUNDS=1000000 FUZZ_SEED=7. */
const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 8_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);

test(`of ${ROUNDS} hostile answers no client makes an image, a tag, or a link to anywhere but the docs`, () => {
  const random = randomFrom(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    const pieces = hostileAnswer(random);
    if (Object.keys(harmIn(shownOf([pieces.join("")]))).length === 0) continue;
    const written = shrunk(pieces).join("");
    const text = shownOf([written]);
    expect({ written, text, harm: harmIn(text) }).toEqual({ written, text, harm: {} });
  }
  expect(ROUNDS).toBeGreaterThan(0);
}, 3_600_000);
