import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { readUrl } from "@docent/kernel/text/safe-url";
import { type ConversationState, isComing, type Turn } from "./state.ts";

const VERSION = 1;
const TURNS_MAX = 20;
const CHARACTERS_MAX = 200_000;

type Saved = Pick<ConversationState, "turns" | "threadId">;

const TEXTS = ["id", "question", "answer", "reasoning", "status"];
const OPTIONAL_TEXTS = ["query", "corrected", "looks", "outcome", "model", "messageId", "threadId"];
/** What the entries of a turn's lists are made of. */
const LISTS = {
  results: { texts: ["title", "content", "path"], addresses: ["href"] },
  sources: { texts: ["title", "snippet"], addresses: ["url"] },
  suggestions: { texts: ["label"], addresses: ["path"] },
  context: { texts: ["type", "value"], addresses: [] },
};

/** The conversation as it is kept: its newest turns, as many as there is room for. */
export function toSaved({ turns, threadId }: Saved): string {
  const kept: Turn[] = [];
  let characters = 0;
  for (const turn of turns.slice(-TURNS_MAX).reverse()) {
    characters += JSON.stringify(turn).length;
    if (characters > CHARACTERS_MAX) break;
    kept.unshift(turn);
  }
  return JSON.stringify({ version: VERSION, threadId, turns: kept });
}

/** The conversation that was kept; undefined where there is none, or none of this version. */
export function readSaved(text: string): Saved | undefined {
  const { version, threadId, turns } = asRecord(jsonIn(text));
  if (version !== VERSION) return undefined;
  return { turns: asList(turns).filter(isTurn).slice(-TURNS_MAX), threadId: asText(threadId) };
}

/** What was on its way when the page went away will not come any more. */
export function afterReload(turn: Turn): Turn {
  const feedback = turn.feedback?.status === "sent" ? turn.feedback : undefined;
  return { ...turn, feedback, status: isComing(turn) ? "stopped" : turn.status };
}

/** Other versions of Docent, and other scripts of the page, may have written there too. */
function isTurn(value: unknown): value is Turn {
  const turn = asRecord(value);
  const { asked, error, feedback, followUps } = turn;
  const lists: Record<string, unknown> = { ...turn, context: asRecord(asked)["context"] ?? [] };
  return (
    TEXTS.every((name) => typeof turn[name] === "string") &&
    OPTIONAL_TEXTS.every((name) => turn[name] === undefined || typeof turn[name] === "string") &&
    Object.entries(LISTS).every(
      ([name, shape]) => Array.isArray(lists[name]) && lists[name].every(isShaped(shape)),
    ) &&
    // Conversations that were kept before there were any have none.
    (followUps === undefined || (Array.isArray(followUps) && followUps.every(isText))) &&
    typeof asked === "object" &&
    asked !== null &&
    (turn["status"] !== "failed" || typeof asRecord(error)["message"] === "string") &&
    (feedback === undefined || typeof asRecord(feedback)["helpful"] === "boolean")
  );
}

const isText = (value: unknown) => typeof value === "string";

const isShaped = ({ texts, addresses }: { texts: string[]; addresses: string[] }) => {
  return (value: unknown) => {
    const entry = asRecord(value);
    return (
      texts.every((name) => typeof entry[name] === "string") &&
      addresses.every((name) => readUrl(asText(entry[name]) ?? "") !== undefined)
    );
  };
};
