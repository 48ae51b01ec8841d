import { authorizationHeader } from "@docent/kernel/lib/authorization";

const NAMES_SCHEME = /^(?:basic|bearer|token) \S/i;

/** The header that a request is signed in with: what a variable holds as it is where it names its scheme, or else dressed. */
export function authorizationFrom(
  secret: string,
  dress: (secret: string) => string,
): Readonly<Record<string, string>> {
  return { authorization: authorizationHeader(NAMES_SCHEME.test(secret) ? secret : dress(secret)) };
}

/** A name and a password, written name:password. */
export const basic = (secret: string) => `Basic ${Buffer.from(secret, "utf8").toString("base64")}`;
export const bearer = (secret: string) => `Bearer ${secret}`;
