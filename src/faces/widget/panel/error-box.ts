import type { Turn, TurnError } from "../../conversation/state.ts";
import { element } from "../../dom/element.ts";
import * as paths from "../../dom/icon-paths.ts";
import { icon } from "../../dom/icons.ts";
import type { LabelName, Say } from "../labels.ts";

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
/** Beyond this, a time of day says more than a count of seconds. */
const SECONDS_SAID_MAX = 90;

/** What happened to a question of that moment, in the reader's words. */
export function errorText(
  { code, message, retryAfterSeconds: seconds = RETRY_SECONDS }: TurnError,
  { askedAt }: Pick<Turn, "askedAt">,
  say: Say,
): string {
  const name = LABEL_OF[code];
  if (name === "limited" && seconds > SECONDS_SAID_MAX)
    return say("limitedUntil", { time: timeOfDay(askedAt + seconds * 1000, say.language) });
  return name ? say(name, { seconds, wait: waitOf(seconds, say.language) }) : message || say("failed");
}

const timeOfDay = (moment: number, language: string) =>
  new Date(moment).toLocaleTimeString(language, { timeStyle: "short" });

/** "in 5 seconds", in the form that the count takes in the language. */
const waitOf = (seconds: number, language: string) =>
  new Intl.RelativeTimeFormat(language).format(seconds, "second");

/** What happened, and the way out. */
export function errorBox(text: string, say: Say, onRetry: (() => void) | undefined): HTMLElement {
  return element(
    "div",
    { class: "error" },
    icon(paths.warn),
    element("p", {}, text),
    onRetry && element("button", { type: "button", class: "plain", onclick: onRetry }, say("retry")),
  );
}
