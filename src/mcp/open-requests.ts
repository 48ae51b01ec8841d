import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";

/** A batch that is being answered: its answers leave together. */
interface Batch {
  waiting: Set<RequestId>;
  answers: JSONRPCMessage[];
  leave(answers: JSONRPCMessage[]): void;
}

/** Follows a connection's requests until each has its answer, or was taken back. */
export interface OpenRequests {
  note(message: JSONRPCMessage): void;
  /** A message that is an answer closes its request. */
  settle(message: JSONRPCMessage): void;
  /** Takes the answers to these messages together, where they ask for any. */
  beginBatch(messages: readonly unknown[], leave: (answers: JSONRPCMessage[]) => void): void;
  /** Keeps an answer that belongs to a batch, and says that it did. */
  answerInBatch(message: JSONRPCMessage): boolean;
  whenNone(): Promise<void>;
}

export function createOpenRequests(): OpenRequests {
  const open = new Set<RequestId>();
  const batches = new Map<RequestId, Batch>();
  let wake = () => {};

  function close(id: RequestId): void {
    const batch = batches.get(id);
    batches.delete(id);
    batch?.waiting.delete(id);
    if (batch?.waiting.size === 0 && batch.answers.length > 0) batch.leave(batch.answers);
    if (open.delete(id)) wake();
  }

  return {
    note(message) {
      // A subscription is answered when it ends, which here is with the connection.
      if (isRequest(message) && message.method !== "subscriptions/listen") open.add(message.id);
      const takenBack = cancelledId(message);
      if (takenBack !== undefined) close(takenBack);
    },
    settle(message) {
      const id = answeredId(message);
      if (id !== undefined) close(id);
    },
    beginBatch(messages, leave) {
      const ids = messages.map(requestId).filter((id) => id !== undefined);
      const batch: Batch = { waiting: new Set(ids), answers: [], leave };
      for (const id of batch.waiting) batches.set(id, batch);
    },
    answerInBatch(message) {
      const id = answeredId(message);
      const batch = id === undefined ? undefined : batches.get(id);
      batch?.answers.push(message);
      return batch !== undefined;
    },
    async whenNone() {
      while (open.size > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
  };
}

const isRequest = (message: JSONRPCMessage) => "method" in message && "id" in message;

const answeredId = (message: JSONRPCMessage) => ("method" in message ? undefined : message.id);

function requestId(message: unknown): RequestId | undefined {
  if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message))
    return undefined;
  return isId(message.id) ? message.id : undefined;
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return isId(id) ? id : undefined;
}

const isId = (id: unknown): id is RequestId => typeof id === "string" || typeof id === "number";
