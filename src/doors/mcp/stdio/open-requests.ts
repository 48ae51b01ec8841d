import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/server";

/** A batch in progress: its answers leave together. */
interface Batch {
  waiting: Set<RequestId>;
  answers: unknown[];
  leave(answers: unknown[]): void;
}

/** Follows a connection's requests until each is answered or cancelled. */
export interface OpenRequests {
  note(message: JSONRPCMessage): void;
  /** Closes the request that a message answers. */
  settle(message: JSONRPCMessage): void;
  /**
   * Collects the answers to these messages, where they expect any, together with those that exist already.
   */
  beginBatch(
    messages: readonly JSONRPCMessage[],
    answers: readonly unknown[],
    leave: (answers: unknown[]) => void,
  ): void;
  /** Keeps an answer that belongs to a batch; returns whether it did. */
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
    if (batch) leaveWhole(batch);
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
    beginBatch(messages, answers, leave) {
      const batch: Batch = {
        waiting: new Set(messages.filter(isRequest).map(({ id }) => id)),
        answers: [...answers],
        leave,
      };
      for (const id of batch.waiting) batches.set(id, batch);
      leaveWhole(batch);
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

function leaveWhole({ waiting, answers, leave }: Batch): void {
  if (waiting.size === 0 && answers.length > 0) leave(answers);
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest =>
  "method" in message && "id" in message;

const answeredId = (message: JSONRPCMessage) => ("method" in message ? undefined : message.id);

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
