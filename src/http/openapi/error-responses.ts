import { ERROR_CODES, type ErrorCode } from "../../errors.ts";
import { errorShape, openaiErrorShape } from "./error-shapes.ts";
import type { SchemaWriter } from "./json-schema.ts";

/** What each error means to whoever is told it. */
const MEANINGS: Record<ErrorCode, string> = {
  invalid_request: "What was sent does not fit. `details` names the places.",
  unauthorized: "There is no key, or none that is known here.",
  forbidden: "The key, or who is signed in, may not do this.",
  not_found: "There is nothing of that name that the key opens.",
  conflict: "It does not go with what is there already.",
  too_large: "What was sent is larger than the server takes.",
  unsupported_media_type: "The body is of another type.",
  rate_limited: "Too much was asked for. `retry-after` says when to come back.",
  internal: "A fault of the server's own.",
  model_failed: "The model did not answer.",
  unavailable: "The server cannot do it now. `retry-after` says when to come back.",
};

const RETRY_AFTER = {
  "retry-after": { description: "After how many seconds to come back.", schema: { type: "integer" } },
};
const WITH_RETRY_AFTER: ReadonlySet<ErrorCode> = new Set(["rate_limited", "unavailable"]);

/** What the program answers before any of it reads the request: to an address, or headers, of more than 16 KB. */
export const HEADERS_TOO_LARGE = {
  use: { 431: { $ref: "#/components/responses/HeadersTooLarge" } },
  response: { description: "The address with the headers is larger than the server takes." },
};

/** The replies to errors, of which every operation names its own. */
export function errorResponses(writer: SchemaWriter) {
  const ofCodes = Object.fromEntries(
    [false, true].flatMap((isOpenai) => {
      const schema = writer.write(isOpenai ? openaiErrorShape : errorShape, "output");
      return ERROR_CODES.map((code) => [
        errorResponseName(code, isOpenai),
        {
          description: `\`${code}\`: ${MEANINGS[code]}`,
          ...(WITH_RETRY_AFTER.has(code) ? { headers: RETRY_AFTER } : {}),
          content: { "application/json": { schema } },
        },
      ]);
    }),
  );
  return { ...ofCodes, HeadersTooLarge: HEADERS_TOO_LARGE.response };
}

/** `NotFound`, and `OpenaiNotFound` where OpenAI's protocol is spoken. */
export function errorResponseName(code: ErrorCode, isOpenai: boolean): string {
  const words = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return isOpenai ? `Openai${words}` : words;
}
