import { type Connection, type Operation, post } from "./connection.ts";

/** A click that is told to the site's owner. */
export interface ReaderEvent {
  type: "source_click" | "suggestion_click";
  path: string;
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
