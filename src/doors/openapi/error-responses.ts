import { ERROR_CODES } from "@docent/kernel/errors";
import { errorShape, openaiErrorShape } from "../error-shapes.ts";
import type { SchemaWriter } from "./json-schema.ts";

/** What may be answered to an operation that is in the document: there is none of another method. */
const DESCRIBED_CODES = [...ERROR_CODES, "headers_too_large"] as const;
type DescribedCode = (typeof DESCRIBED_CODES)[number];

/** What each error means to whoever is told it. */
const MEANINGS: Record<DescribedCode, string> = {
  invalid_request: "What was sent does not fit. `details` names the places.",
  unauthorized: "There is no key, or none that is known here.",
  forbidden: "The key, or who is signed in, may not do this.",
  not_found: "There is nothing of that name that the key opens.",
  conflict: "It does not go with what is there already.",
  too_large: "What was sent is larger than the server takes.",
  unsupported_media_type: "The body is of another type.",
  headers_too_large:
    "The address with the headers is larger than the server takes. There is no body where they have more than 64 KB.",
  rate_limited: "Too much was asked for. `retry-after` says when to come back.",
  internal: "A fault of the server's own.",
  model_failed: "The model did not answer.",
  unavailable: "The server cannot do it now. `retry-after` says when to come back.",
};

const RETRY_AFTER = {
  "retry-after": { description: "After how many seconds to come back.", schema: { type: "integer" } },
};
const WITH_RETRY_AFTER: ReadonlySet<DescribedCode> = new Set(["rate_limited", "unavailable"]);

/** The replies to errors, of which every operation names its own. */
export function errorResponses(writer: SchemaWriter) {
  return Object.fromEntries(
    [false, true].flatMap((isOpenai) => {
      const schema = writer.write(isOpenai ? openaiErrorShape : errorShape, "output");
      return DESCRIBED_CODES.map((code) => [
        errorResponseName(code, isOpenai),
        {
          description: `\`${code}\`: ${MEANINGS[code]}`,
          ...(WITH_RETRY_AFTER.has(code) ? { headers: RETRY_AFTER } : {}),
          content: { "application/json": { schema } },
        },
      ]);
    }),
  );
}

/** `NotFound`, and `OpenaiNotFound` where OpenAI's protocol is spoken. */
export function errorResponseName(code: DescribedCode, isOpenai: boolean): string {
  const words = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return isOpenai ? `Openai${words}` : words;
}
