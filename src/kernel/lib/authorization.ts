import { AppError } from "../errors.ts";

/** What is sent as Authorization. What no header can hold would be in the fault that came of it, and is not sent. */
export function authorizationHeader(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  throw new AppError(
    "invalid_request",
    "What the source signs in with has letters that no header can hold.",
    {
      hint: "Look at what the environment variable holds that the source names: letters, digits and signs of ASCII.",
    },
  );
}
