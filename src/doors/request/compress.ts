import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

type Encoding = "zstd" | "br" | "gzip";

/** Below this, what is saved is less than what the header says of it. */
const BYTES_MIN = 1024;
const BROTLI_QUALITY = 4;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Each takes about a millisecond for a page; what takes longer saves little more. The first one that is accepted is taken. */
const ENCODERS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: (bytes) => Bun.zstdCompress(bytes, { level: 3 }),
  br: (bytes) => toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => toGzip(bytes),
};
const ORDER: readonly Encoding[] = ["zstd", "br", "gzip"];

/** Text as the reply to a request, compressed as its sender accepts it. */
export async function textReply(
  request: Request,
  text: string,
  init: { status?: number; headers: Record<string, string> },
): Promise<Response> {
  const bytes = new TextEncoder().encode(text);
  const headers = { ...init.headers, vary: "accept-encoding" };
  const encoding = bytes.length < BYTES_MIN ? undefined : ORDER.find((each) => accepts(request, each));
  if (encoding === undefined) return new Response(bytes, { ...init, headers });
  const body = new Uint8Array(await ENCODERS[encoding](bytes));
  return new Response(body, { ...init, headers: { ...headers, "content-encoding": encoding } });
}

/** Whether the sender of a request takes a reply in an encoding. */
export function accepts(request: Request, encoding: Encoding): boolean {
  const accepted = new Map(
    (request.headers.get("accept-encoding") ?? "").split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
      const quality = parameters.find((each) => each.startsWith("q="))?.slice(2);
      return [name, quality === undefined ? 1 : Number(quality)] as const;
    }),
  );
  return (accepted.get(encoding) ?? accepted.get("*") ?? 0) > 0;
}
