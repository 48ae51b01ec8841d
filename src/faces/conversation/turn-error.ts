import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import type { TurnError } from "./state.ts";

/** Codes of ours, beside those of the server. */
type OwnCode = "offline" | "unreachable" | "broken_off" | "failed";

/** In the words of the widget, which has few bytes to spare for others. */
const SENTENCES: Record<OwnCode, string> = {
  offline: "You are offline.",
  unreachable: "The assistant cannot be reached. Try again in a moment.",
  broken_off: "The answer broke off.",
  failed: "That did not work. Try again.",
};
const MESSAGE_CHARACTERS_MAX = 500;
const RETRY_SECONDS_MAX = 86_400;

/** An error that the server did not speak of itself. */
export function ownError(code: OwnCode, message: string = SENTENCES[code]): TurnError {
  const said = message.slice(0, MESSAGE_CHARACTERS_MAX) || SENTENCES[code];
  return { code, message: said, retryAfterSeconds: undefined };
}

/** What a reply that is no answer says. */
export async function readError(response: Response, now: number): Promise<TurnError> {
  const body = asRecord(jsonIn(await response.text()));
  const code = asText(body["code"]);
  const retryAfterSeconds = secondsOf(response.headers.get("retry-after"), now);
  const plain = ownError("unreachable", asText(body["message"]));
  return { ...plain, ...(code !== undefined && { code }), retryAfterSeconds };
}

/** The header says seconds, or a moment. */
function secondsOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_SECONDS_MAX) : undefined;
}
