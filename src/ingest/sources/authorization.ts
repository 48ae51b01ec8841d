import { AppError } from "../../errors.ts";

/** A bare token is a bearer's. What no header can hold would be in the fault that came of it. */
export function authorizationOf(secret: string): string {
  if (/^[\x20-\x7e]*$/.test(secret)) return secret.includes(" ") ? secret : `Bearer ${secret}`;
  throw new AppError(
    "invalid_request",
    "What the source signs in with has letters that no header can hold.",
    {
      hint: "Look at what the environment variable holds that the source names: letters, digits and signs of ASCII.",
    },
  );
}
