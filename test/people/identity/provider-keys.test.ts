import { describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createProviderKeys } from "../../../src/people/identity/oidc/keys.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";

const BOUNDS = {
  issuer: "https://id.example.com",
  audience: "docent",
  requiredClaims: ["exp", "sub"],
  clockTolerance: 60,
};

async function opened() {
  const { clock, advance } = fakeClock();
  const pairs = new Map<string, CryptoKey>();
  const published: object[] = [];
  let loads = 0;
  const pauses: number[] = [];
  const keys = createProviderKeys({
    clock,
    load: async () => {
      loads += 1;
      return { keys: [...published] };
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      advance(milliseconds);
    },
  });
  async function publish(kid: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    pairs.set(kid, privateKey);
    published.push({ ...(await exportJWK(publicKey)), kid, alg: "ES256" });
  }
  /** A token; one of a key that is not published is a stranger's. */
  async function tokenOf(kid: string, claims: Record<string, unknown> = {}): Promise<string> {
    const key = pairs.get(kid) ?? (await generateKeyPair("ES256")).privateKey;
    const seconds = Math.floor(clock() / 1000);
    return new SignJWT({
      iss: BOUNDS.issuer,
      aud: BOUNDS.audience,
      sub: "ada",
      exp: seconds + 600,
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(key);
  }
  const outcome = (read: Promise<unknown>) =>
    read.then(
      () => "read",
      (error: Error) => error.message,
    );
  await publish("first");
  await keys.verify(await tokenOf("first"), BOUNDS);
  return { keys, clock, publish, tokenOf, outcome, pauses, loads: () => loads };
}

describe("a provider's keys that have changed", () => {
  test("are read at once for a token of the new one", async () => {
    const it = await opened();
    await it.publish("second");
    expect(await it.outcome(it.keys.verify(await it.tokenOf("second"), BOUNDS))).toBe("read");
    expect([it.loads(), it.pauses]).toEqual([2, []]);
  });

  test("are read for its token however many strangers have named keys that never were", async () => {
    const it = await opened();
    for (let round = 0; round < 20; round++)
      expect(await it.outcome(it.keys.verify(await it.tokenOf(`none-${round}`), BOUNDS))).toContain(
        "no applicable",
      );
    await it.publish("second");
    expect(await it.outcome(it.keys.verify(await it.tokenOf("second"), BOUNDS))).toBe("read");
  });

  test("are read for one that the provider itself gave, before all that wait", async () => {
    const it = await opened();
    await it.outcome(it.keys.verify(await it.tokenOf("none"), BOUNDS));
    await it.publish("second");
    expect(await it.outcome(it.keys.verifyOwn(await it.tokenOf("second"), BOUNDS))).toBe("read");
    expect(it.pauses).toEqual([]);
  });

  test("are asked for once by all who come at the same time, and not sooner than five seconds after", async () => {
    const it = await opened();
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, index) => it.tokenOf(`none-${index}`)));
    const startedAt = it.clock();
    await Promise.all(tokens.map((token) => it.outcome(it.keys.verify(token, BOUNDS))));
    await Promise.all(tokens.map((token) => it.outcome(it.keys.verify(token, BOUNDS))));
    expect(it.loads()).toBe(3);
    expect(it.clock() - startedAt).toBe(5000);
  });

  test("keep no more waiting than there is a bound for", async () => {
    const it = await opened();
    await it.outcome(it.keys.verify(await it.tokenOf("none"), BOUNDS));
    const token = await it.tokenOf("other");
    const all = await Promise.all(
      Array.from({ length: 500 }, () => it.outcome(it.keys.verify(token, BOUNDS))),
    );
    expect(new Set(all)).toEqual(new Set(["no applicable key found in the JSON Web Key Set"]));
    expect(it.loads()).toBe(3);
  });
});

describe("a time in a token", () => {
  test.each(["iat", "auth_time", "nbf"])(
    "that is ahead by more than clocks are off is refused: %s",
    async (claim) => {
      const it = await opened();
      const at = async (ahead: number) =>
        it.outcome(
          it.keys.verify(
            await it.tokenOf("first", { [claim]: Math.floor(it.clock() / 1000) + ahead }),
            BOUNDS,
          ),
        );
      expect(await at(600)).toContain(claim);
      expect(await at(62)).toContain(claim);
      expect(await at(58)).toBe("read");
      expect(await at(-600)).toBe("read");
    },
  );
});
