import { expect, test } from "bun:test";
import { createDiscovery } from "../../../src/people/identity/oidc/discovery.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { testLog } from "../../helpers/test-log.ts";

const ISSUER = "https://id.example.com";
const HOURS_MS = 5 * 3_600_000;

test("a clock that was put back by hours keeps neither what was read before nor a failure for as long", async () => {
  const { clock, advance } = fakeClock();
  let asked = 0;
  let isAway = true;
  const discover = createDiscovery({
    settings: { name: "company", issuer: ISSUER },
    fetch: {
      isOwn: () => true,
      async json() {
        asked++;
        if (isAway) throw new Error("away");
        const names = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
        return { issuer: ISSUER, ...Object.fromEntries(names.map((name) => [name, `${ISSUER}/${name}`])) };
      },
    },
    clock,
    log: testLog().log,
  });
  advance(HOURS_MS);
  await expect(discover()).rejects.toThrow("away");
  isAway = false;
  advance(-HOURS_MS);
  await discover();
  expect(asked).toBe(2);
  advance(HOURS_MS);
  await discover();
  advance(-HOURS_MS);
  await discover();
  await discover();
  expect(asked).toBe(4);
});
