import type { Tone } from "./kit/text/badge.tsx";
import type { Gap, ListedTurn } from "./replies.ts";

/** How an answer ended, for people: a word, its colour, and what it means. */
interface OutcomeWords {
  label: string;
  tone: Tone;
  meaning: string;
}

export type Outcome = NonNullable<ListedTurn["outcome"]>;

export const OUTCOME_WORDS: Readonly<Record<Outcome, OutcomeWords>> = {
  answered: { label: "Answered", tone: "good", meaning: "A model answered from the docs." },
  quoted: { label: "Quoted", tone: "good", meaning: "Passages were quoted: no model was there to answer." },
  curated: { label: "Curated", tone: "accent", meaning: "An answer that people wrote was given." },
  touched: {
    label: "Near",
    tone: "warn",
    meaning: "No passage answers it outright: what comes nearest was quoted.",
  },
  unanswered: { label: "No answer", tone: "warn", meaning: "The docs did not say enough." },
  failed: { label: "Failed", tone: "bad", meaning: "Something broke before the answer was whole." },
  stopped: { label: "Stopped", tone: "quiet", meaning: "The reader stopped it." },
};

/** The words for an outcome; of a question that is being answered, too. */
export const outcomeWords = (outcome: Outcome | null): OutcomeWords =>
  outcome === null
    ? { label: "Being answered", tone: "quiet", meaning: "The answer is still coming." }
    : OUTCOME_WORDS[outcome];

/** Who asked, by the door that they came through. */
export const CALLER_WORDS: Readonly<Record<ListedTurn["caller"], string>> = {
  web: "Docs site",
  api: "API",
  mcp: "Agent (MCP)",
  cli: "Command line",
  chat: "Chat",
};

/** Who wrote an answer; empty where nobody was asked to. */
export function writerWords({
  responder,
  model,
  curated,
  outcome,
}: Pick<ListedTurn, "responder" | "model" | "curated" | "outcome">): string {
  if (curated !== null) return "people: a curated answer";
  if (model !== null) return model;
  // What stands there then is Docent's own sentence.
  if (outcome === "unanswered") return "";
  return responder === "extractive" ? "quotes, no model" : (responder ?? "");
}

/** Why the docs did not answer, and what helps. */
export const REASON_WORDS: Readonly<Record<Gap["reason"], { label: string; helps: string }>> = {
  nothing_near: {
    label: "Nothing about it",
    helps: "No passage is about this. Write a new page, or dismiss it if it is off topic.",
  },
  below_gate: {
    label: "Not enough about it",
    helps: "Passages come near and do not say it. Add the answer to the nearest page.",
  },
  declined: {
    label: "The detail is missing",
    helps: "The right passages were found, and the model said that they do not answer it.",
  },
  disliked: {
    label: "Answered badly",
    helps: "There was an answer, and its reader found it unhelpful. Look at that answer.",
  },
};
