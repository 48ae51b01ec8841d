import { describe, expect, test } from "bun:test";
import type { Signing } from "../../helpers/lying-provider.ts";
import { openProvider } from "../../helpers/open-provider.ts";
import { appErrorOf } from "../../helpers/rejection.ts";

const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
const LOGOUT: Signing = { header: { typ: "logout+jwt" } };
const AUDIENCE = "https://docs.example/mcp";

describe("the token by which a provider ends sessions", () => {
  test("names the subject and the session", async () => {
    using it = await openProvider();
    const token = await it.lying.sign({ events: EVENTS, jti: "j1", sid: "s1" }, LOGOUT);
    const { until, ...notice } = await it.provider.readLogoutToken(token);
    expect(notice).toEqual({ issuer: it.lying.issuer, subject: "ada", sid: "s1", id: "j1" });
    // Remembered for as long as it would be believed.
    expect(until).toBeGreaterThanOrEqual((it.lying.now() + 660) * 1000);
  });

  const wrong: [name: string, claims: object, signing?: Signing][] = [
    ["a nonce, as an ID token", { nonce: "n" }],
    ["no event", { events: undefined }],
    ["another event", { events: { "http://schemas.openid.net/event/other": {} } }],
    ["no jti", { jti: undefined }],
    ["nobody and no session", { sub: undefined, sid: undefined }],
    ["another audience", { aud: "grafana" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["no time", { iat: undefined }],
    ["an end that has passed", { exp: 1 }],
    ["another type", {}, { header: { typ: "at+jwt" } }],
    [
      "a shared secret as its key",
      {},
      { ...LOGOUT, alg: "HS256", key: new TextEncoder().encode("x".repeat(32)) },
    ],
    ["a key that nobody published", {}, { ...LOGOUT, kid: "never" }],
  ];
  test.each(wrong)("with %s it ends nothing", async (_, claims, signing = LOGOUT) => {
    using it = await openProvider();
    const token = await it.lying.sign({ events: EVENTS, jti: "j1", sid: "s1", ...claims }, signing);
    const fault = await appErrorOf(() => it.provider.readLogoutToken(token));
    expect([fault.code, fault.message]).toEqual(["invalid_request", expect.stringContaining("logout_token")]);
    expect(JSON.stringify(fault) + String(fault.cause)).not.toContain(token);
  });

  test("one of eleven minutes ago was held back by somebody", async () => {
    using it = await openProvider();
    const old = await it.lying.sign({ events: EVENTS, jti: "j1", iat: it.lying.now() - 11 * 60 - 1 }, LOGOUT);
    expect((await appErrorOf(() => it.provider.readLogoutToken(old))).code).toBe("invalid_request");
  });

  test("what is none at all is answered as well", async () => {
    using it = await openProvider();
    for (const token of ["", "x", "a.b.c", `${"x".repeat(60_000)}.y.z`])
      expect((await appErrorOf(() => it.provider.readLogoutToken(token))).code).toBe("invalid_request");
  });
});

describe("an agent's access token", () => {
  test("speaks for its subject, with the groups that it has", async () => {
    using it = await openProvider(`mcp_audience: ${AUDIENCE}`);
    const token = await it.lying.sign(
      { aud: ["x", AUDIENCE], groups: ["staff"] },
      { header: { typ: "at+jwt" } },
    );
    expect(await it.provider.verifyAccessToken(token)).toEqual({
      issuer: it.lying.issuer,
      subject: "ada",
      name: undefined,
      groups: ["staff"],
    });
  });

  const wrong: [name: string, claims: object, signing?: Signing][] = [
    ["the audience of the sign-in", { aud: "docent" }],
    ["another audience", { aud: "https://docs.example/mcp2" }],
    ["no audience", { aud: undefined }],
    ["another issuer", { iss: "https://evil.example" }],
    ["no end", { exp: undefined }],
    ["no subject", { sub: undefined }],
    ["the type of Keycloak's ID tokens", { typ: "ID" }],
    ["the type of a logout token", {}, { header: { typ: "logout+jwt" } }],
    ["a shared secret as its key", {}, { alg: "HS256", key: new TextEncoder().encode("x".repeat(32)) }],
  ];
  test.each(wrong)("with %s it opens nothing", async (_, claims, signing = {}) => {
    using it = await openProvider(`mcp_audience: ${AUDIENCE}`);
    const token = await it.lying.sign({ aud: AUDIENCE, ...claims }, signing);
    const fault = await appErrorOf(() => it.provider.verifyAccessToken(token));
    expect(fault.code).toBe("unauthorized");
    expect(JSON.stringify(fault) + String(fault.cause)).not.toContain(token);
  });

  test("that ended a second ago, beyond the skew, opens nothing; within it, it does", async () => {
    using it = await openProvider(`mcp_audience: ${AUDIENCE}`);
    const token = (exp: number) => it.lying.sign({ aud: AUDIENCE, exp });
    const late = await token(it.lying.now() - 61);
    expect((await appErrorOf(() => it.provider.verifyAccessToken(late))).code).toBe("unauthorized");
    await it.provider.verifyAccessToken(await token(it.lying.now() - 58));
  });

  test("where the provider has no audience for agents, none opens anything", async () => {
    using it = await openProvider();
    const token = await it.lying.sign({ aud: AUDIENCE });
    expect((await appErrorOf(() => it.provider.verifyAccessToken(token))).code).toBe("unauthorized");
    expect(it.lying.asked).toEqual([]);
  });

  test("where the provider's keys cannot be had, it is said to be that, and not the token's fault", async () => {
    using it = await openProvider(`mcp_audience: ${AUDIENCE}`);
    it.lying.answer("/jwks", () => new Response("", { status: 500 }));
    const token = await it.lying.sign({ aud: AUDIENCE });
    const fault = await appErrorOf(() => it.provider.verifyAccessToken(token));
    expect([fault.code, fault.retryAfterSeconds]).toEqual(["unavailable", 10]);
  });
});
