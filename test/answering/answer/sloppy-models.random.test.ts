import { expect, test } from "bun:test";
import { randomFrom } from "../../helpers/hostile-answers.ts";
import { firstFault } from "../../helpers/sloppy-models.ts";

const SEED = 11;
const ROUNDS = 2000;

test(`of ${ROUNDS} sloppy answers of eight families of models none is damaged, and nothing raw is shown`, () => {
  expect({ seed: SEED, fault: firstFault(randomFrom(SEED), ROUNDS) }).toEqual({
    seed: SEED,
    fault: undefined,
  });
});
