/** A proxy between Docent and a model server that keeps what Docent asks the model. */
export interface ChatRecorder {
  url: string;
  /** The body of the last chat, loads excluded. Raises where there was none. */
  lastBody(): string;
  stop(): Promise<void>;
}

/** Passes everything on unchanged. */
export function startChatRecorder(upstream: string): ChatRecorder {
  let last: string | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      // A load has no messages.
      if (pathname === "/api/chat" && !/"messages":\[\]/.test(body)) last = body;
      const { method } = request;
      return fetch(`${upstream}${pathname}`, { method, proxy: false, ...(method === "POST" && { body }) });
    },
  });
  return {
    url: server.url.origin,
    lastBody() {
      if (last === undefined) throw new Error("Docent asked the model nothing");
      return last;
    },
    stop: () => server.stop(true),
  };
}
