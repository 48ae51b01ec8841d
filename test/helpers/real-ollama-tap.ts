import { z } from "zod";
import { type ChatLine, parseChatLine } from "../../src/models/ollama/client/wire.ts";

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  options: z.looseObject({ num_ctx: z.number().optional() }).optional(),
});

/** A chat as it went to Ollama, and what has come back so far. */
export interface TappedChat {
  body: z.infer<typeof bodySchema>;
  lines: ChatLine[];
}

/** A door before a real Ollama that hands everything on as it comes, and notes the chats. */
export interface OllamaTap {
  readonly url: string;
  /** Those that ask something. */
  readonly chats: TappedChat[];
  /** Those without messages, which load the model. */
  readonly loads: TappedChat[];
  close(): Promise<void>;
}

/** Opens a door before the Ollama at that address. */
export function tapOllama(ollamaUrl: string): OllamaTap {
  const chats: TappedChat[] = [];
  const loads: TappedChat[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const reply = await fetch(ollamaUrl + pathname, {
        method: request.method,
        signal: request.signal,
        ...(body !== "" && { body }),
      });
      const { status } = reply;
      const headers = { "content-type": reply.headers.get("content-type") ?? "" };
      if (pathname !== "/api/chat" || reply.body === null)
        return new Response(reply.body, { status, headers });
      const chat: TappedChat = { body: bodySchema.parse(JSON.parse(body)), lines: [] };
      (chat.body.messages.length === 0 ? loads : chats).push(chat);
      return new Response(reply.body.pipeThrough(noteLines(chat.lines)), { status, headers });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    chats,
    loads,
    close: () => server.stop(true),
  };
}

/** Notes the lines of a reply, each before it is handed on. */
function noteLines(lines: ChatLine[]): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform(bytes, controller) {
      const whole = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) lines.push(parseChatLine(JSON.parse(line)));
      controller.enqueue(bytes);
    },
  });
}
