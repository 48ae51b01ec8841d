import { describe, expect, test } from "bun:test";
import {
  argon2id,
  createPasswords,
  givenPasswordSchema,
  type Hasher,
  newPasswordSchema,
} from "../../../src/people/members/passwords.ts";
import { countingHasher } from "../../helpers/open-members.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

describe("passwords", () => {
  test("a hash is argon2id, another each time, and of that password alone", async () => {
    const { hash, verify } = createPasswords(argon2id);
    const [one, two] = [await hash("correct horse"), await hash("correct horse")];
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(two);
    expect([await verify("correct horse", one), await verify("correct horsf", one)]).toEqual([true, false]);
  });

  test("without a hash the same work is done, on one that was made as all are, and none matches", async () => {
    const hashes: string[] = [];
    const hasher: Hasher = {
      hash: argon2id.hash,
      async verify(password, hash) {
        hashes.push(hash);
        return argon2id.verify(password, hash);
      },
    };
    const { verify } = createPasswords(hasher);
    expect(await verify("correct horse", undefined)).toBe(false);
    const cost = (hash: string | undefined) => hash?.split("$").slice(0, 4).join("$");
    expect(cost(hashes[0])).toBe(cost(await argon2id.hash("x")));
    const credulous = createPasswords({ ...hasher, verify: async () => true });
    expect(await credulous.verify("anything", undefined)).toBe(false);
  });

  test("only a few are compared at the same time, some wait, and the others are sent away", async () => {
    let running = 0;
    let most = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { verify } = createPasswords({
      ...countingHasher().hasher,
      async verify() {
        most = Math.max(most, ++running);
        await gate;
        running--;
        return true;
      },
    });
    const all = Array.from({ length: 80 }, () => verify("x", "y"));
    expect((await appErrorOf(() => all[79])).code).toBe("unavailable");
    open();
    const ends = await Promise.allSettled(all);
    expect(most).toBe(4);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(68);
    expect(await verify("x", "y")).toBe(true);
  });

  test("what fails gives its place back", async () => {
    const { verify } = createPasswords({
      ...countingHasher().hasher,
      verify: () => Promise.reject(new Error("no memory")),
    });
    for (let round = 0; round < 10; round++) await expect(verify("x", "y")).rejects.toThrow("no memory");
  });

  test.each([
    ["a new password has ten characters, counted as people do", "👩👩👩👩👩👩👩👩👩👩", true, true],
    ["nine are too few for a new one, and may be an old one", "123456789", false, true],
    ["a thousand bytes are the most", "é".repeat(500), true, true],
    ["one more is too many", `${"é".repeat(500)}x`, false, false],
    ["nothing is none", "", false, false],
    ["half a letter is no text", `${"x".repeat(20)}\ud800`, false, true],
  ])("%s", (_, password, isNew, isGiven) => {
    expect(newPasswordSchema.safeParse(password).success).toBe(isNew);
    expect(givenPasswordSchema.safeParse(password).success).toBe(isGiven);
  });
});
