import type { TurnError } from "../conversation/state.ts";
import { element } from "./element.ts";
import { icon } from "./icons.ts";
import type { LabelName, Say } from "./labels.ts";

/** What to say for each code of the server's, and of the connection. Of others the server's own sentence says more. */
const LABEL_OF: Partial<Record<string, LabelName>> = {
  offline: "notSent",
  unreachable: "unreachable",
  broken_off: "interrupted",
  rate_limited: "limited",
  unavailable: "busy",
  model_failed: "busy",
  unauthorized: "unavailable",
  forbidden: "unavailable",
  not_found: "unavailable",
  too_large: "tooLong",
};
const RETRY_SECONDS = 60;

/** What happened, in the reader's words. */
export function errorText({ code, message, retryAfterSeconds }: TurnError, say: Say): string {
  const name = LABEL_OF[code];
  return name ? say(name, { seconds: retryAfterSeconds ?? RETRY_SECONDS }) : message || say("failed");
}

/** What happened, and the way out. */
export function errorBox(error: TurnError, say: Say, onRetry: (() => void) | undefined): HTMLElement {
  return element(
    "div",
    { class: "error" },
    icon("warn"),
    element("p", {}, errorText(error, say)),
    onRetry && element("button", { type: "button", class: "plain", onclick: onRetry }, say("retry")),
  );
}
