import { countsLine, notReadWords, OUTCOMES } from "../kit/runs/run-words.ts";
import type { Tone } from "../kit/text/badge.tsx";
import type { Source } from "../replies.ts";
import { sentence } from "../text.ts";

/** The state of a model or a source: a word, and what it means. */
interface Health {
  state: string;
  tone: Tone;
  text: string;
}

interface ModelServer {
  reason: string | null;
  hint: string | null;
}

/** Says whether a model answers. Only owners of the server are told which of its Ollama servers has what wrong. */
export function modelHealth(model: string | null, servers: readonly ModelServer[]): Health {
  const troubled = servers.filter(({ reason }) => reason !== null);
  const reasons = troubled.flatMap(({ reason, hint }) =>
    [reason, hint].flatMap((words) => (words === null || words === "" ? [] : [sentence(words)])),
  );
  if (model === null)
    return {
      state: "No model",
      tone: "warn",
      text: ["Answers are quoted from the docs.", ...reasons].join(" "),
    };
  if (troubled.length > 0)
    return { state: "Partly", tone: "warn", text: [`${model} answers.`, ...reasons].join(" ") };
  return { state: "Answers", tone: "good", text: model };
}

/** Says whether a source is read as it should be. */
export function sourceHealth({ lastRun, notRead }: Pick<Source, "lastRun" | "notRead">): Health {
  if (notRead !== null) return { state: "Not read", tone: "warn", text: notReadWords(notRead) };
  if (lastRun === null) return { state: "Not read yet", tone: "quiet", text: "" };
  if (lastRun.outcome === null) return { state: "Interrupted", tone: "warn", text: "" };
  const { label, tone } = OUTCOMES[lastRun.outcome] ?? { label: lastRun.outcome, tone: "quiet" as const };
  return { state: label, tone, text: lastRun.message ?? countsLine(lastRun.counts) };
}

/** The order of states, the worst first. */
const TONES: readonly Tone[] = ["bad", "warn", "quiet", "accent", "good"];

/** The sources with their states: those that need attention come first. */
export function worstFirst<Known extends Pick<Source, "lastRun" | "notRead">>(sources: readonly Known[]) {
  const rank = ({ health }: { health: Health }) => TONES.indexOf(health.tone);
  return sources
    .map((source) => ({ source, health: sourceHealth(source) }))
    .sort((one, other) => rank(one) - rank(other));
}
