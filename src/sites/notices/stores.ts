import type { Notice, NoticeDestination, NoticeKind } from "./notice.ts";

/** Something that is wrong at the moment. */
export interface BadSubject {
  id: string;
  kind: NoticeKind;
  /** Undefined: the server itself. */
  siteId: number | undefined;
  since: number;
  /** When somebody was told of it last. */
  toldAt: number;
}

/** A notice for one destination, which is sent, or is still to be. */
export interface QueuedNotice {
  id: string;
  destinationId: string;
  notice: Notice;
  madeAt: number;
  tries: number;
  /** Undefined where it is not tried again. */
  nextTryAt: number | undefined;
  state: "waiting" | "sent" | "failed";
  /** What came back the last time. */
  says: string | undefined;
  triedAt: number | undefined;
}

/** What became of a try. */
export type NoticeTry = Pick<QueuedNotice, "tries" | "nextTryAt" | "state" | "says" | "triedAt">;

/** What is known of a destination's notices. */
interface DestinationRecord {
  destinationId: string;
  waiting: number;
  /** How many could not be delivered, of those that are kept still. */
  givenUp: number;
  /** The one that was tried last. */
  last: Pick<QueuedNotice, "state" | "says" | "triedAt"> | undefined;
}

/** Keeps destinations, what is wrong, and what is to be sent. */
export interface NoticeStore {
  /** All of them, the oldest first. */
  destinations(): Promise<NoticeDestination[]>;
  /** Adds one, where its owner has fewer than the most. */
  addDestination(destination: NoticeDestination, most: number): Promise<boolean>;
  changeDestination(id: string, change: Pick<NoticeDestination, "name" | "kinds">): Promise<boolean>;
  /** Removes one with all its notices. */
  removeDestination(id: string): Promise<boolean>;
  /** What is wrong of a kind, at a site or, where it is undefined, at the server. */
  subjects(kind: NoticeKind, siteId: number | undefined): Promise<BadSubject[]>;
  /**
   * Keeps what is wrong now and what is over, and queues what is to be said of it: all of it or nothing. A destination at
   * which so many wait already gets no more; returns how many were left out.
   */
  note(
    change: { bad: readonly BadSubject[]; over: readonly string[] },
    notices: readonly QueuedNotice[],
    waitingMax: number,
  ): Promise<number>;
  /**
   * Lists notices whose next try is due, or further away than any is put off, as the clock was ahead then. The longest
   * waiting first.
   */
  due(now: number, most: number): Promise<QueuedNotice[]>;
  /** Says what a try begins with, or how it ended. */
  setTry(id: string, given: NoticeTry): Promise<void>;
  /** Of all destinations that have notices. */
  records(): Promise<DestinationRecord[]>;
  /** Removes notices that were made before a moment, at most so many. Returns how many. */
  removeOlder(before: number, most: number): Promise<number>;
}
