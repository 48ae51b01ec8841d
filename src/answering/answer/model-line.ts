import type { Asker } from "./responder.ts";

/** A server of models that a question may go to. */
export interface ModelChoice {
  /** The same for everybody who shares it. */
  address: string;
  /** How it is preferred: servers of the lowest rank are taken first, and of these the least busy. */
  rank: number;
  /** How many answers it writes at the same time. */
  slots: number;
}

/** A question that waits for a model, or has one. */
export interface ModelTicket {
  /** What its own server calls it. */
  number: number;
  asker: Asker;
  /** Whether the question was served before, in vain: then it goes before all others. */
  again: boolean;
  /** In the order in which they are preferred. */
  choices: readonly ModelChoice[];
  /** Where it is served; undefined while it waits. */
  address: string | undefined;
}

/** A ticket as all servers see it. */
export interface SharedTicket extends ModelTicket {
  /** When it came, counted together with `servedAt` and `endedAt`: no two of these are the same. */
  joinedAt: number;
  /** When it was served. */
  servedAt: number | undefined;
  /** When it was answered, or left the line. It is kept while others are here who came before: turns are told by it. */
  endedAt: number | undefined;
  /** Whether the question came to the server that asks. */
  isOwn: boolean;
}

/** Who is to be served where. */
export interface ModelAssignment {
  joinedAt: number;
  address: string;
}

/** The line before the models that several servers of Docent share. */
export interface ModelLine {
  /**
   * Says which tickets this server has, no more and no fewer, and lets `assign` serve some of those that wait, whosever they
   * are. One server at a time does so, where there is anything to do: `assign` may be asked before that, too, and again of what
   * is there then. Tickets of servers that are gone are removed. Returns all tickets, as they are then.
   */
  update(
    own: readonly ModelTicket[],
    assign: (tickets: readonly SharedTicket[]) => readonly ModelAssignment[],
  ): Promise<SharedTicket[]>;
}
