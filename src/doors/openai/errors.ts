import type { HttpErrorCode, ToldError } from "../errors.ts";

const ROUTE = /^(?:\/discovery)?\/v1\/(?:chat\/completions$|responses$|models(?:\/|$))/;
/** What begins the paths of Docent's own operations. */
const OWN_PATH =
  /^(?:assistant|chats|search|page|feedback|hand-over|events|widget|session|sign-in|admin|analytics)(?:\/|$)/;
const PATH = /^(?:\/discovery)?\/v1\/(?<below>.+)$/s;

/** Whether a path, below the base path, is an operation of OpenAI's API that is here. */
export const isOpenaiRoute = (path: string) => ROUTE.test(path);

/** Whether whoever asks for a path speaks OpenAI's protocol: all below `/v1/` that is not Docent's own. */
export function isOpenaiPath(path: string): boolean {
  const below = PATH.exec(path)?.groups?.["below"];
  return below !== undefined && !OWN_PATH.test(below);
}

/** What clients of OpenAI's API know our codes as. */
const KNOWN_AS: Partial<Record<HttpErrorCode, { type: string; code: string }>> = {
  unauthorized: { type: "invalid_request_error", code: "invalid_api_key" },
  rate_limited: { type: "rate_limit_error", code: "rate_limit_exceeded" },
  unavailable: { type: "server_error", code: "unavailable" },
  model_failed: { type: "server_error", code: "model_failed" },
  internal: { type: "server_error", code: "internal" },
};
/** OpenAI's codes for what is named in the body and is not there, by the field that names it. */
const MISSING: Record<string, string> = {
  model: "model_not_found",
  previous_response_id: "previous_response_not_found",
};
const NO_SUCH_OPERATION =
  "There is no such operation here. There are POST /v1/responses, POST /v1/chat/completions, GET /v1/models and GET /v1/models/{model}. Responses are not given out or deleted by their id: go on from one with previous_response_id.";

/** An error as OpenAI's API writes it. */
export function openaiErrorBody({ code, message, details }: ToldError): object {
  const param = details[0]?.path || null;
  const known = KNOWN_AS[code] ?? { type: "invalid_request_error", code };
  if (code !== "not_found") return { error: { message, type: known.type, param, code: known.code } };
  const said = param === null ? NO_SUCH_OPERATION : message;
  return { error: { message: said, type: known.type, param, code: MISSING[param ?? ""] ?? code } };
}
