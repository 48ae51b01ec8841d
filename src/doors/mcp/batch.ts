import { ProtocolErrorCode } from "@modelcontextprotocol/server";

/** The only revision of the protocol with batches: it introduced them, and the next one removed them. */
const BATCH_REVISION = "2025-03-26";
/** The most messages in a batch, each of which may search. */
const BATCH_MESSAGES_MAX = 50;

const BAD_REQUEST = 400;
const ACCEPTED = 202;

/** What is wrong with a batch as a whole. */
export function batchFault(messages: readonly unknown[], revision: unknown): string | undefined {
  if (revision !== BATCH_REVISION)
    return `Send one message at a time: only revision ${BATCH_REVISION} of the protocol has batches.`;
  if (messages.length === 0) return "The batch is empty.";
  if (messages.length > BATCH_MESSAGES_MAX) return `A batch holds at most ${BATCH_MESSAGES_MAX} messages.`;
  return messages.some(mayNotBeInBatch) ? "A batch holds neither initialize nor another batch." : undefined;
}

/**
 * Answers the messages of a batch one after the other, independently: a cancellation finds its request
 * answered already, and nothing waits for an answer that never comes.
 */
export async function answerBatch(
  messages: readonly unknown[],
  revision: string,
  answerOne: (message: unknown) => Promise<Response>,
): Promise<Response> {
  const fault = batchFault(messages, revision);
  if (fault !== undefined) return refused(fault, BAD_REQUEST, ProtocolErrorCode.InvalidRequest);
  const answers: unknown[] = [];
  for (const message of messages) {
    const reply = await answerOne(message);
    if (reply.status === ACCEPTED) continue;
    const text = await reply.text();
    // The client has left.
    if (text === "") return reply;
    answers.push(JSON.parse(text));
  }
  return answers.length === 0 ? new Response(null, { status: ACCEPTED }) : Response.json(answers);
}

function mayNotBeInBatch(message: unknown): boolean {
  if (Array.isArray(message)) return true;
  return typeof message === "object" && message !== null && "method" in message
    ? message.method === "initialize"
    : false;
}

/** An error that belongs to no request, in the protocol's form. */
const errorWithoutId = (code: number, message: string) => ({
  jsonrpc: "2.0",
  error: { code, message },
  id: null,
});

/** The error for a message that is not a valid request. */
export const invalidRequest = (message: string) => errorWithoutId(ProtocolErrorCode.InvalidRequest, message);

/** The reply to a post that is refused as a whole. */
export function refused(message: string, status = 400, code = -32_000): Response {
  return Response.json(errorWithoutId(code, message), { status });
}
