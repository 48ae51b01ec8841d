/** What a server answers to a request: a body with a status, or nothing. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** A server that answers by what it is given, and remembers what it was asked. */
export function fakeServer(
  answer: (method: string, path: string, body: unknown) => Answer | Promise<Answer>,
) {
  const asked: { method: string; path: string; body: unknown }[] = [];
  return {
    asked,
    async fetch(path: string, { method = "GET", body, signal }: RequestInit = {}): Promise<Response> {
      const sent: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
      asked.push({ method, path, body: sent });
      const { status, body: answered } = await answer(method, path, sent);
      signal?.throwIfAborted();
      return answered === undefined
        ? new Response(null, { status })
        : Response.json(answered, { status, headers: { "x-request-id": "request-1" } });
    },
  };
}

/** An error as the server words it. */
export const refusal = (status: number, code: string, message: string, details: object[] = []): Answer => ({
  status,
  body: { error: message, message, code, requestId: "request-1", details },
});

/** The error that some work ends in. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  const result = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in result) return result.error;
  throw new Error(`an error was expected, not ${JSON.stringify(result.value)}`);
}
