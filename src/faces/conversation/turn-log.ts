import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { readUrl } from "@docent/kernel/text/safe-url";
import { splitSuggestions } from "@docent/kernel/text/suggestions";
import { type ConversationState, isComing, type Turn } from "./state.ts";

/** Where one conversation is kept between visits. Both may throw: then nothing is kept. */
interface ConversationStorage {
  get(): string | null;
  set(value: string): void;
}

export interface TurnLogOptions {
  storage?: ConversationStorage;
  now: () => number;
  /** Calls back when it is time to draw; animation frames unless told otherwise. */
  schedule?: (run: () => void) => void;
}

/** The turns of a conversation, with who is told of their changes and where they are kept between pages. */
export interface TurnLog extends TurnLogOptions {
  readonly schedule: (run: () => void) => void;
  readonly listeners: Set<(state: ConversationState) => void>;
  /** Turns with their answers as they came, with the block of suggestions. */
  turns: readonly Turn[];
  threadId: string | undefined;
  savedAt: number;
  /** What the storage holds, as far as this page knows. */
  kept: string;
  /** The state as it was given last; undefined after a change. */
  shown: ConversationState | undefined;
  readonly shownTurns: WeakMap<Turn, Turn>;
  isScheduled: boolean;
}

const HIDDEN_PAGE_MS = 200;

export const createTurnLog = (options: TurnLogOptions): TurnLog => ({
  schedule: nextFrame,
  ...options,
  listeners: new Set(),
  turns: [],
  threadId: undefined,
  savedAt: 0,
  kept: "",
  shown: undefined,
  shownTurns: new WeakMap(),
  isScheduled: false,
});

/** The state to show: the same object until something changes. */
export function stateOf(log: TurnLog): ConversationState {
  const { turns, threadId, shownTurns } = log;
  /** A turn that has not changed is the same object. */
  const shownTurn = (turn: Turn) => {
    const known = shownTurns.get(turn) ?? asShown(turn);
    shownTurns.set(turn, known);
    return known;
  };
  log.shown ??= { turns: turns.map(shownTurn), threadId, isBusy: turns.some(isComing) };
  return log.shown;
}

/** Changes a turn in place; `isKept`: at once, and not with the next one that is. */
export function updateTurn(log: TurnLog, id: string, change: (turn: Turn) => Turn, isKept = true): void {
  log.turns = log.turns.map((turn) => (turn.id === id ? change(turn) : turn));
  changed(log, isKept);
}

/** Keeps the turns, and tells of them with the next frame. */
export function changed(log: TurnLog, isKept = true): void {
  log.shown = undefined;
  if (isKept) save(log);
  if (log.isScheduled) return;
  log.isScheduled = true;
  log.schedule(() => {
    log.isScheduled = false;
    for (const listener of log.listeners) listener(stateOf(log));
  });
}

/** Takes up what the storage holds, where another page has gone on with it. */
export function restoreTurns(log: TurnLog): void {
  const saved = savedElsewhere(log);
  if (saved === undefined) return;
  log.kept = textIn(log.storage);
  log.turns = saved.turns.map(afterReload);
  log.threadId = saved.threadId;
  changed(log, false);
}

function save(log: TurnLog): void {
  log.savedAt = log.now();
  const elsewhere = savedElsewhere(log);
  if (elsewhere !== undefined) log.turns = joinTurns(log.turns, elsewhere.turns);
  log.shown = undefined;
  try {
    const saved = toSaved(stateOf(log));
    log.storage?.set(saved);
    log.kept = saved;
  } catch {
    // A conversation that cannot be kept goes on all the same.
  }
}

/** The conversation that another page has kept since; undefined where none has. */
function savedElsewhere({ storage, kept }: TurnLog) {
  const found = textIn(storage);
  return found === kept ? undefined : readSaved(found);
}

/** The turns with those that another page has asked meanwhile; an answer that is on its way there is that page's to keep. */
function joinTurns(turns: readonly Turn[], others: readonly Turn[]): Turn[] {
  const joined = new Map(turns.map((turn) => [turn.id, turn]));
  for (const turn of others) {
    const own = joined.get(turn.id)?.status;
    // What looked broken off when it was taken up here was ended there.
    const isEnded = own === "stopped" && turn.status !== "stopped";
    if (!isComing(turn) && (own === undefined || isEnded)) joined.set(turn.id, turn);
  }
  return [...joined.values()].toSorted((one, other) => one.askedAt - other.askedAt);
}

/** What a storage holds; empty where it cannot be read. */
export function textIn(storage: ConversationStorage | undefined): string {
  try {
    return storage?.get() ?? "";
  } catch {
    return "";
  }
}

/** The turn as it is shown: what to read next stands apart from the answer. */
function asShown(turn: Turn): Turn {
  if (turn.suggestions.length > 0) return turn;
  const { text, suggestions } = splitSuggestions(turn.answer, isComing(turn));
  return { ...turn, answer: text, suggestions };
}

/** Runs with the next frame. Frames stand still on a page that is not seen: there, a timer runs it. */
function nextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, HIDDEN_PAGE_MS);
  else requestAnimationFrame(run);
}

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
function toSaved({ turns, threadId }: Saved): string {
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
function readSaved(text: string): Saved | undefined {
  const { version, threadId, turns } = asRecord(jsonIn(text));
  if (version !== VERSION) return undefined;
  return { turns: asList(turns).filter(isTurn).slice(-TURNS_MAX), threadId: asText(threadId) };
}

/** What was on its way when the page went away will not come any more. */
function afterReload(turn: Turn): Turn {
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
