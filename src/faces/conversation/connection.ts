/** Where a site's assistant is, and what opens it. */
export interface Connection {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The server with its base path, such as `https://docent.example.com`. */
  endpoint: string;
  domain: string;
  /** The assistant key. */
  key: string;
}

/** An operation of the server: its path, with what stands before and behind the domain. */
type Operation = readonly [before: string, behind?: string];

/** Posts JSON to one of the site's operations. */
export function post(
  { fetch, endpoint, domain, key }: Connection,
  [before, behind = ""]: Operation,
  body: unknown,
  init: Pick<RequestInit, "signal" | "keepalive"> = {},
): Promise<Response> {
  return fetch(`${endpoint.replace(/\/$/, "")}${before}/${encodeURIComponent(domain)}${behind}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    credentials: "omit",
    body: JSON.stringify(body),
    ...init,
  });
}

/** A click that is told to the site's owner. */
export interface ReaderEvent {
  type: "source_click" | "suggestion_click";
  path: string;
  threadId?: string | undefined;
  messageId?: string | undefined;
}

/** What a reader says of an answer. */
interface GivenFeedback {
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

/** What a reader says who asks for a person. */
export interface PersonRequest {
  name: string;
  email: string;
  message: string;
}

/** Hands the conversation over to a person; false where that could not be sent. */
export const sendHandOver = (
  connection: Connection,
  threadId: string,
  request: PersonRequest,
): Promise<boolean> => tell(connection, ["/v1/hand-over"], { threadId, ...request });

async function tell(connection: Connection, operation: Operation, body: unknown): Promise<boolean> {
  try {
    return (await post(connection, operation, body, { keepalive: true })).ok;
  } catch {
    return false;
  }
}
