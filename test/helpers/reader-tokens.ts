import { type JWTPayload, SignJWT } from "jose";
import type { SiteSecret } from "../../src/people/readers/stores.ts";
import { TEST_TIME } from "./fake-clock.ts";

const SECONDS = Math.floor(TEST_TIME / 1000);

/** What a site says of its reader Ada in a token that is good for five minutes. */
export const adasClaims = (aud: string, now = SECONDS): JWTPayload => ({
  sub: "ada",
  aud,
  iat: now,
  exp: now + 300,
});

/** A token as a site's own server makes it: what is undefined in `change` is left out. */
export function signToken(
  { id, secret }: Pick<SiteSecret, "id" | "secret">,
  claims: Record<string, unknown>,
  head: { alg?: string; kid?: string | undefined } = {},
): Promise<string> {
  return new SignJWT(JSON.parse(JSON.stringify(claims)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg: "HS256", kid: id, ...head })))
    .sign(new TextEncoder().encode(secret));
}
