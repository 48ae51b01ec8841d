import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { adasClaims, signToken } from "../helpers/reader-tokens.ts";

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor();
});
afterAll(() => door.close());

const READERS = "/sites/acme/readers";
const SECRETS = "/sites/acme/reader-secrets";

test("who can read a site is said to whoever manages it, and what its secrets are is told once", async () => {
  expect(await door.expectStatus(200, "GET", READERS)).toEqual({
    sentence: "Anyone with one of its keys, as the pages have that show its assistant.",
    secrets: [],
  });
  await door.expectStatus(200, "PATCH", "/sites/acme", { body: { settings: { readers: "signed-in" } } });
  const made = await door.ask("POST", SECRETS);
  expect([made.status, made.headers.get("cache-control")]).toEqual([201, "no-store"]);
  const { secret, ...shown } = JSON.parse(made.text);
  expect(secret).toMatch(/^docent_rds_\w{44}$/);
  const now = await door.ask("GET", READERS, { as: "ownRead" });
  expect(now.body).toEqual({
    sentence: expect.stringMatching(/^People whom \S+ vouches for and members\.$/),
    secrets: [{ ...shown, lastUsedAt: null }],
  });
  expect(now.text).not.toContain(secret);
});

test("secrets are made and ended by those who may change the site, two at most", async () => {
  for (const as of ["ownRead", "serverRead"] as const) await door.expectStatus(403, "POST", SECRETS, { as });
  for (const as of ["assistant", "none"] as const) await door.expectStatus(401, "GET", READERS, { as });
  for (const [method, path] of [
    ["GET", READERS],
    ["POST", SECRETS],
    ["DELETE", `${SECRETS}/x`],
  ] as const)
    await door.expectStatus(404, method, path, { as: "other" });
  const second = await door.expectStatus(201, "POST", SECRETS);
  const refused = await door.expectStatus(409, "POST", SECRETS);
  expect(refused["message"]).toBe("The site has 2 secrets already: end the one that is used no more.");
  const search = async () => {
    const { id, secret } = second;
    const claims = adasClaims("acme", Math.floor(Date.now() / 1000));
    const token = await signToken({ id: String(id), secret: String(secret) }, claims);
    const reply = await fetch(`${door.url}/v1/search/acme`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${door.key}`,
        "x-docent-reader": token,
      },
      body: JSON.stringify({ query: "install" }),
    });
    return reply.status;
  };
  expect(await search()).toBe(200);
  await door.expectStatus(404, "DELETE", "/sites/rival/reader-secrets/x", { as: "other" });
  await door.expectStatus(404, "DELETE", `/sites/rival/reader-secrets/${second["id"]}`, { as: "other" });
  expect(await search()).toBe(200);
  await door.expectStatus(204, "DELETE", `${SECRETS}/${second["id"]}`);
  expect(await search()).toBe(401);
});
