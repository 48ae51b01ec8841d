import { isKnownEtag } from "../request/etag.ts";

interface PublicText {
  type: "text/plain" | "text/markdown" | "application/xml";
  /** The state that the text is made from: the same state makes the same text. */
  state: string;
  links: string[];
  text: () => string | AsyncIterable<string>;
}

/** Text for programs; 304 where they have it already. */
export function textResponse(request: Request, { type, state, links, text }: PublicText): Response {
  // A proxy may compress it: the same text, other bytes.
  const etag = `W/"${new Bun.CryptoHasher("sha256", "public text").update(state).digest("base64url").slice(0, 27)}"`;
  const headers: Record<string, string> = {
    etag,
    "content-type": `${type}; charset=utf-8`,
    // A site may stop being public at any time.
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
    ...(links.length > 0 ? { link: links.join(", ") } : {}),
  };
  if (isKnownEtag(etag, request.headers.get("if-none-match")))
    return new Response(null, { status: 304, headers });
  if (request.method === "HEAD") return new Response(null, { headers });
  const body = text();
  return new Response(typeof body === "string" ? body : streamOf(body), { headers });
}

/** Nothing is read before there is room for it: a slow reader of a large site costs little. */
function streamOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source = text[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await source.return?.();
    },
  });
}
