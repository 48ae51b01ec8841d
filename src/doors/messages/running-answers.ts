import type { AnswerEvent } from "@docent/answering/answer/events";
import { type ChatOfApp, mayBeOthers } from "@docent/answering/threads/threads";
import { countedAddress } from "@docent/kernel/lib/address";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, logFailure } from "@docent/kernel/lib/log";
import { keepLatest } from "@docent/kernel/lib/remember";
import { hashSecret } from "@docent/kernel/lib/secrets";
import { type Audience, audienceKey } from "@docent/sites/pages/audience";
import type { Answering } from "../streaming/answering.ts";
import { type SharedAnswer, shareAnswer } from "./shared-answer.ts";

/** The settings it reads, under their own names. */
export interface ResumeSettings {
  /** How long an answer goes on when its reader has left, in chats that take up their answers. 0: it ends at once. */
  resume_seconds: number;
}

/** A chat of an app, with its reader's rights. */
export interface RunningChat extends ChatOfApp {
  audience: Audience;
}

/** Who wants to take up the answer of a chat. Clients do not say who reads, unless the app adds it. */
type ChatSeeker = Omit<RunningChat, "fp"> & { fp: string | undefined };

/** Answers that are being written in chats of apps, on this server. */
export interface RunningAnswers {
  /** Gives the answer to the first who reads it. What the chat was answered before, and nobody reads, ends. */
  begin(
    chat: RunningChat,
    answer: Pick<Answering, "abort" | "onEnd"> & { first: AnswerEvent; events: AsyncIterator<AnswerEvent> },
  ): AsyncIterator<AnswerEvent>;
  /** Gives the answer that is being written in that chat, from its start; undefined where there is none for them. */
  takeUp(seeker: ChatSeeker): AsyncIterator<AnswerEvent> | undefined;
}

interface Entry {
  chat: RunningChat;
  answer: SharedAnswer;
  /** Its reader has asked something else meanwhile. */
  isPast: boolean;
}

/** Of chats that have asked for a running answer. A chat that is forgotten is one whose answers end with their reader. */
const CHATS_KEPT = 10_000;

export function createRunningAnswers(settings: ResumeSettings, log: Log): RunningAnswers {
  const running = new Map<string, Set<Entry>>();
  const takingUp = new Map<string, true>();
  const unreadMs = (chat: RunningChat) =>
    takingUp.has(placeOf(chat, countedAddress(chat.address))) ? settings.resume_seconds * SECOND_MS : 0;
  const onFailure = (error: unknown) =>
    logFailure(log, "an answer that nobody came back to could not be ended", error);

  function remove(key: string, entry: Entry): void {
    const entries = running.get(key);
    entries?.delete(entry);
    if (entries?.size === 0) running.delete(key);
  }

  return {
    begin(chat, answer) {
      const key = placeOf(chat);
      const entries = running.get(key) ?? new Set();
      for (const other of entries) {
        if (!isFor(other, chat)) continue;
        other.isPast = true;
        if (!other.answer.isRead()) void other.answer.end().catch(onFailure);
      }
      const shared = shareAnswer({
        ...answer,
        unreadMs: () => (entry.isPast ? 0 : unreadMs(chat)),
        onForgotten: () => remove(key, entry),
        onFailure,
      });
      const entry: Entry = { chat, answer: shared, isPast: false };
      // Answers that have ended removed the set if it was empty then.
      running.set(key, entries.add(entry));
      return shared.read();
    },

    takeUp(seeker) {
      keepLatest(takingUp, placeOf(seeker, countedAddress(seeker.address)), true, CHATS_KEPT);
      const entries = [...(running.get(placeOf(seeker)) ?? [])];
      return entries.findLast((entry) => isFor(entry, seeker))?.answer.read();
    },
  };
}

/** Chats of one site, key and id, and of readers with the same rights. */
const placeOf = ({ siteId, keyId, readerId, audience, chatId }: ChatSeeker, address = "") =>
  hashSecret(
    JSON.stringify([siteId, keyId ?? null, readerId ?? null, audienceKey(audience), chatId, address]),
  );

/**
 * Whether the answer is for whoever seeks it. A reader for whom nobody vouches takes it up from the address at which they
 * asked, and where others may be behind that address, the chat is named so that only they know it.
 */
function isFor({ chat }: Entry, seeker: ChatSeeker): boolean {
  if (chat.readerId !== undefined) return true;
  if (countedAddress(chat.address) !== countedAddress(seeker.address)) return false;
  if (seeker.fp !== undefined && seeker.fp !== chat.fp) return false;
  return !mayBeOthers({ ...chat, fp: seeker.fp });
}
