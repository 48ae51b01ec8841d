import { AppError, isUnstorable } from "@docent/kernel/errors";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { BegunTurn, NewTurn, PastTurn, ThreadStore, TurnEnd } from "./threads.ts";

/** How much waits to be stored at most. Beyond it, the oldest answers are given up. */
const TURNS_MAX = 1000;
const CHARACTERS_MAX = 8_000_000;

/** A time in which answers are given and cannot be stored. */
export interface Unstored {
  since: number;
  /** How many answers it is about so far. */
  answers: number;
  /** What an operator can do. */
  hint: string | undefined;
}

interface Waiting {
  /** The question as it is to be stored; undefined where only its end is missing. */
  begin: NewTurn | undefined;
  /** What the question followed. */
  past: PastTurn[];
  ended: { end: TurnEnd; at: number } | undefined;
  characters: number;
}

interface StoringDeps {
  store: ThreadStore;
  clock: Clock;
  log: Log;
}

interface State extends StoringDeps {
  /** By the turn's id, the oldest first. */
  waiting: Map<string, Waiting>;
  writing: Promise<void> | undefined;
  unstored: (Unstored & { lost: number }) | undefined;
  total: number;
}

/**
 * Stores turns. Where nothing can be stored and what is stored can be read, as on a full disk, questions are answered all
 * the same: their turns wait in memory, continue their threads there, and are stored as soon as there is room.
 */
export function createTurnStoring(deps: StoringDeps) {
  const state: State = { ...deps, waiting: new Map(), writing: undefined, unstored: undefined, total: 0 };
  return {
    begin: (turn: NewTurn) => beginTurn(state, turn),
    finish: (turnId: string, end: TurnEnd) => finishTurn(state, turnId, { end, at: deps.clock() }),
    /** Stores what waits. Where that cannot be yet, it goes on waiting; at the end, what is lost is said. */
    async flush({ isEnding = false } = {}): Promise<void> {
      try {
        await writeAll(state);
        await writeEnds(state);
        noteStored(state);
      } catch (error) {
        if (isEnding)
          deps.log.warn("answers are lost that could not be stored", { answers: state.waiting.size });
        if (!isUnstorable(error)) throw error;
      }
    },
    unstored: (): Unstored | undefined => state.unstored,
    /** How many answers could not be stored when they were given, since the server started. */
    unstoredTotal: () => state.total,
  };
}

async function beginTurn(state: State, turn: NewTurn): Promise<BegunTurn | undefined> {
  const { store, waiting } = state;
  try {
    // What waits comes first: the question may follow it.
    await writeAll(state);
    const begun = await store.begin(turn);
    if (state.unstored !== undefined && waiting.size === 0) noteStored(state);
    return begun && withEnds(state, begun);
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    // What cannot be read either is raised from here.
    const begun = await beginInMemory(state, turn);
    if (begun !== undefined) noteUnstored(state, error);
    return begun;
  }
}

async function beginInMemory(state: State, turn: NewTurn): Promise<BegunTurn | undefined> {
  const held = heldBefore(state, turn);
  const recalled = held === undefined ? await state.store.recall(turn) : undefined;
  const { newThreadId } = turn;
  const began = newThreadId === undefined ? undefined : { threadId: newThreadId, past: [], replaced: false };
  const begun = held ?? recalled ?? began;
  if (begun === undefined) return undefined;
  const { threadId, past } = withEnds(state, begun);
  // Nobody begins a thread under an id of their choice: only what began in memory is stored under its own.
  const begin = { ...turn, threadId, newThreadId: recalled === undefined ? threadId : newThreadIdOf(turn) };
  keep(state, turn.turnId, { begin, past, ended: undefined, characters: turn.question.text.length });
  return { ...begun, past };
}

/** Of a thread that is stored; where it is deleted meanwhile, its turns are dropped. A channel's begins anew. */
const newThreadIdOf = ({ threadId, newThreadId }: NewTurn) =>
  threadId === newThreadId ? newThreadId : undefined;

/** What a question follows that goes on with turns which wait; undefined where it follows none of them. */
function heldBefore({ waiting }: State, turn: NewTurn): BegunTurn | undefined {
  const { siteId, previousTurnId, question, pastTurns } = turn;
  const all = [...waiting.values()].filter(
    ({ begin }) =>
      begin !== undefined && begin.siteId === siteId && begin.question.readerId === question.readerId,
  );
  const threadId = turn.threadId ?? threadOfChat(all, turn);
  const ofThread = all.filter(({ begin }) => threadId !== undefined && begin?.threadId === threadId);
  const last =
    previousTurnId === undefined
      ? ofThread.at(-1)
      : ofThread.find(({ begin }) => begin?.turnId === previousTurnId);
  if (threadId === undefined || last === undefined) return undefined;
  const same = ofThread.find(({ begin }) => begin?.question.questionMessageId === question.questionMessageId);
  const past =
    same !== undefined && previousTurnId === undefined ? same.past : [...last.past, ...pastOf(last)];
  return { threadId, past: past.slice(-pastTurns), replaced: same !== undefined };
}

function threadOfChat(all: readonly Waiting[], { chat }: NewTurn): string | undefined {
  if (chat === undefined || chat.isWhole) return undefined;
  return all.findLast(({ begin }) => begin?.chat?.name === chat.name && !begin.chat.isWhole)?.begin?.threadId;
}

const pastOf = ({ begin, ended }: Waiting): PastTurn[] =>
  begin === undefined
    ? []
    : [{ id: begin.turnId, question: begin.question.text, answer: ended?.end.answer ?? "" }];

/** The same with answers that are not stored yet. */
const withEnds = ({ waiting }: State, begun: BegunTurn): BegunTurn => ({
  ...begun,
  past: begun.past.map((each) => {
    const answer = waiting.get(each.id)?.ended?.end.answer;
    return answer === undefined ? each : { ...each, answer };
  }),
});

async function finishTurn(state: State, turnId: string, ended: NonNullable<Waiting["ended"]>): Promise<void> {
  const { store, waiting } = state;
  const held = waiting.get(turnId);
  if (held?.begin !== undefined) {
    waiting.set(
      turnId,
      Object.assign(held, { ended, characters: held.characters + ended.end.answer.length }),
    );
    return;
  }
  try {
    await store.finish(turnId, ended.end, ended.at);
    waiting.delete(turnId);
  } catch (error) {
    // Otherwise the turn would be one that never ends.
    if (held !== undefined || waiting.size < TURNS_MAX)
      waiting.set(turnId, { begin: undefined, past: [], ended, characters: ended.end.answer.length });
    if (!isUnstorable(error)) throw error;
    if (held === undefined) noteUnstored(state, error);
  }
}

/** Keeps a turn; where there is no room, the oldest that is over is given up. */
function keep({ waiting, unstored }: State, turnId: string, turn: Waiting): void {
  waiting.set(turnId, turn);
  let characters = 0;
  for (const each of waiting.values()) characters += each.characters;
  for (const [id, { begin, ended, characters: own }] of waiting) {
    if (waiting.size <= TURNS_MAX && characters <= CHARACTERS_MAX) return;
    if (begin === undefined || ended === undefined) continue;
    waiting.delete(id);
    characters -= own;
    if (unstored !== undefined) unstored.lost += 1;
  }
}

/** Stores the turns that wait whole, the oldest first: once, however many want it. */
function writeAll(state: State): Promise<void> {
  state.writing ??= writeTurns(state).finally(() => {
    state.writing = undefined;
  });
  return state.writing;
}

async function writeTurns(state: State): Promise<void> {
  for (const [turnId, turn] of [...state.waiting]) {
    if (turn.begin === undefined) continue;
    const isStored = await isStoredNow(state, turnId, turn.begin);
    turn.begin = undefined;
    if (!isStored || turn.ended === undefined) state.waiting.delete(turnId);
    else await writeEnd(state, turnId, turn.ended);
  }
}

/** Stores a question that waited. False where its thread, or its site, has been deleted meanwhile. */
async function isStoredNow({ store, log }: State, turnId: string, begin: NewTurn): Promise<boolean> {
  try {
    return (await store.begin(begin)) !== undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") throw error;
    log.warn("an answer that waited could not be stored", { turn: turnId, error });
    return false;
  }
}

/** Stores the ends of turns whose questions are stored. */
async function writeEnds(state: State): Promise<void> {
  for (const [turnId, { begin, ended }] of [...state.waiting])
    if (begin === undefined && ended !== undefined) await writeEnd(state, turnId, ended);
}

async function writeEnd(
  { store, waiting }: State,
  turnId: string,
  ended: NonNullable<Waiting["ended"]>,
): Promise<void> {
  await store.finish(turnId, ended.end, ended.at);
  if (waiting.get(turnId)?.ended === ended) waiting.delete(turnId);
}

function noteUnstored(state: State, error: AppError): void {
  const { clock, log } = state;
  if (state.unstored === undefined) {
    log.warn("answers are not stored", { ...reasonFields(error), cause: String(error.cause) });
    state.unstored = { since: clock(), answers: 0, hint: error.hint, lost: 0 };
  }
  state.unstored.answers += 1;
  state.total += 1;
}

function noteStored(state: State): void {
  const { unstored, clock, log } = state;
  if (unstored === undefined) return;
  const { answers, lost, since } = unstored;
  state.unstored = undefined;
  const seconds = Math.max(0, Math.round((clock() - since) / SECOND_MS));
  log.info("answers are stored again", { answers, storedLater: answers - lost, lost, seconds });
}
