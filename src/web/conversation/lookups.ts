import { type Connection, type Operation, post } from "./connection.ts";
import type { FoundPassage, QuestionFilter } from "./state.ts";
import { readResults } from "./stream-part.ts";
import { readError } from "./turn-error.ts";

/** A click that is told to the site's owner. */
export interface ReaderEvent {
  type: "search_click" | "source_click" | "suggestion_click";
  path: string;
  query?: string | undefined;
  threadId?: string | undefined;
  messageId?: string | undefined;
}

/** What a reader says of an answer. */
export interface GivenFeedback {
  messageId: string;
  threadId: string;
  helpful: boolean;
  comment?: string | undefined;
}

/** What a search is narrowed to, and what ends it. */
export interface SearchOptions {
  pageSize?: number;
  filter?: QuestionFilter;
  signal?: AbortSignal;
}

/** Tells of a click; false where that could not be sent. Outlives the page: the click may lead away from it. */
export const sendEvent = (connection: Connection, event: ReaderEvent): Promise<boolean> =>
  tell(connection, ["/v1/events"], event);

/** Says whether an answer helped; false where that could not be sent. */
export const sendFeedback = (connection: Connection, feedback: GivenFeedback): Promise<boolean> =>
  tell(connection, ["/v1/feedback"], feedback);

async function tell(connection: Connection, operation: Operation, body: unknown): Promise<boolean> {
  try {
    return (await post(connection, operation, body, { keepalive: true })).ok;
  } catch {
    return false;
  }
}

/** Finds passages, best first. Rejects with a sentence for the reader where it cannot. */
export async function searchPassages(
  connection: Connection,
  query: string,
  { pageSize, filter, signal }: SearchOptions = {},
): Promise<FoundPassage[]> {
  const init = signal === undefined ? {} : { signal };
  const response = await post(connection, ["/v1/search"], { query, pageSize, filter }, init);
  if (!response.ok) throw new Error((await readError(response, Date.now())).message);
  return readResults(await response.json());
}
