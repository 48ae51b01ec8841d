import type { AppError, ErrorCode } from "../../errors.ts";

const ROUTE = /^(?:\/discovery)?\/v1\/(?:chat\/completions$|models(?:\/|$))/;

/** Whether a path, below the base path, is spoken to in OpenAI's protocol. */
export const isOpenaiPath = (path: string) => ROUTE.test(path);

/** What clients of OpenAI's API know our codes as. */
const KNOWN_AS: Partial<Record<ErrorCode, { type: string; code: string }>> = {
  unauthorized: { type: "invalid_request_error", code: "invalid_api_key" },
  rate_limited: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  unavailable: { type: "server_error", code: "unavailable" },
  model_failed: { type: "server_error", code: "model_failed" },
  internal: { type: "server_error", code: "internal" },
};
const NO_SUCH_MODEL = { type: "invalid_request_error", code: "model_not_found" };

/** An error as OpenAI's API writes it. */
export function openaiErrorBody({ code, message, details }: AppError): object {
  const param = details[0]?.path || null;
  const plain = { type: "invalid_request_error", code };
  const known = code === "not_found" && param === "model" ? NO_SUCH_MODEL : (KNOWN_AS[code] ?? plain);
  return { error: { message, type: known.type, param, code: known.code } };
}
