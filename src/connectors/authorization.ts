import { AppError } from "../errors.ts";

const NAMES_SCHEME = /^(?:basic|bearer|token) \S/i;

/** The header that a request is signed in with: what a variable holds as it is where it names its scheme, or else dressed. */
export function authorizationFrom(
  secret: string,
  dress: (secret: string) => string,
): Readonly<Record<string, string>> {
  const authorization = NAMES_SCHEME.test(secret) ? secret : dress(secret);
  if (/^[\x20-\x7e]*$/.test(authorization)) return { authorization };
  throw new AppError(
    "invalid_request",
    "What the source signs in with has letters that no header can hold.",
    {
      hint: "Look at what the environment variable holds that the source names: letters, digits and signs of ASCII.",
    },
  );
}

/** A name and a password, written name:password. */
export const basic = (secret: string) => `Basic ${Buffer.from(secret, "utf8").toString("base64")}`;
export const bearer = (secret: string) => `Bearer ${secret}`;
