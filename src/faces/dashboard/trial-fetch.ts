import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { createServerEvents, readStreamPart } from "../conversation/stream.ts";

/** What asks without leaving a trace. */
export interface TrialOptions {
  fetch: Ask;
  /** The dashboard's base path. */
  base: string;
  domain: string;
  /** What is sent besides. */
  more?: () => Record<string, unknown>;
  /** Hears the parts of the stream as they come, each as it was sent. */
  onPart?: (data: string) => void;
  /** The session has ended: resolves when there is another. */
  signInAgain?: () => Promise<unknown>;
}

/** A question with what was answered so far. */
interface Exchange {
  id: string;
  question: Record<string, unknown>;
  answer: string;
}

/** The browser's, or what stands in for it. */
type Ask = (url: string, init: RequestInit) => Promise<Response>;

const UNAUTHORIZED = 401;

/**
 * Stands in for the message operation: asks the operation that keeps nothing. What was said before is therefore sent
 * each time, from what is remembered here.
 */
export function createTrialFetch(options: TrialOptions): Ask {
  const { fetch, base, domain, more, onPart, signInAgain } = options;
  const address = `${base}/v1/admin/sites/${encodeURIComponent(domain)}/try`;
  let past: Exchange[] = [];

  const send = (body: unknown, signal: RequestInit["signal"]) =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });

  return async (_url, { body, signal }) => {
    const { threadId, messages, ...rest } = asRecord(jsonIn(String(body ?? "")));
    const question = asRecord(asList(messages).at(-1));
    const exchange: Exchange = { id: asText(question["id"]) ?? "", question, answer: "" };
    // A conversation begins without a thread; a question that is asked once more takes its own place.
    past = threadId === undefined ? [] : before(past, exchange.id);
    const asked = { ...rest, ...more?.(), messages: [...past.flatMap(messagesOf), question] };
    let response = await send(asked, signal);
    if (response.status === UNAUTHORIZED && signInAgain) {
      await signInAgain();
      response = await send(asked, signal);
    }
    if (!response.ok || !response.body) return response;
    past = [...past, exchange];
    const { status, headers } = response;
    return new Response(watched(response.body, exchange, onPart), { status, headers });
  };
}

function before(past: Exchange[], id: string): Exchange[] {
  const index = past.findIndex((exchange) => exchange.id === id);
  return index < 0 ? past : past.slice(0, index);
}

function messagesOf({ id, question, answer }: Exchange): unknown[] {
  const said = { id: `${id}-answer`, role: "assistant", parts: [{ type: "text", text: answer }] };
  return answer === "" ? [question] : [question, said];
}

/** The same bytes, with what they say told as they pass. */
function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  exchange: Exchange,
  onPart: TrialOptions["onPart"],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const events = createServerEvents();
  return body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        for (const data of events.write(bytes)) {
          onPart?.(data);
          const part = readStreamPart(data);
          if (part?.type === "text") exchange.answer += part.text;
        }
        controller.enqueue(bytes);
      },
    }),
  );
}
