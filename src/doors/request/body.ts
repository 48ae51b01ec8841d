import { AppError } from "@docent/kernel/errors";
import { faultsIn } from "@docent/kernel/lib/schema-faults";
import type { z } from "zod";

interface BodyBounds {
  bytesMax: number;
  /** How long its sender may take. */
  milliseconds: number;
  /** Ends the reading when it is aborted. */
  signal: AbortSignal;
}

/** Bounds on values and depth: checking takes time for each value, and nobody else is answered meanwhile. */
const JSON_BOUNDS = { valuesMax: 50_000, depthMax: 100 };

/** Reads a JSON body within its bounds and checks it. The first faults are reported, each with its path. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>, bounds: BodyBounds): Promise<T> {
  const type = typeOf(request);
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new AppError(
      "unsupported_media_type",
      "Send JSON, with the header content-type: application/json.",
    );
  }
  return checkBody(schema, parseJson(await readText(request, bounds)), "The body");
}

/** Reads the fields of a form within its bounds and checks them, each with the first of its values. */
export async function readForm<T>(request: Request, schema: z.ZodType<T>, bounds: BodyBounds): Promise<T> {
  if (typeOf(request) !== "application/x-www-form-urlencoded") {
    throw new AppError(
      "unsupported_media_type",
      "Send a form, with the header content-type: application/x-www-form-urlencoded.",
    );
  }
  const fields = new URLSearchParams(await readText(request, bounds));
  return checkBody(schema, Object.fromEntries([...fields].toReversed()), "The body");
}

const typeOf = ({ headers }: Request) =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Checks what was sent, in words for whoever sent it. `whole` is what it is called where the fault is in all of it. */
export function checkBody<T>(schema: z.ZodType<T>, sent: unknown, whole: string): T {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const { details, count } = faultsIn(result.error);
  const first = details[0];
  const more = count > 1 ? ` (and ${count - 1} more)` : "";
  throw new AppError("invalid_request", `${first?.path || whole}: ${first?.message}${more}`, { details });
}

/** Reads a body within its bounds, as text. */
export async function readText(request: Request, { bytesMax, ...bounds }: BodyBounds): Promise<string> {
  const tooLarge = () => new AppError("too_large", `The body is larger than ${bytesMax} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  const decoder = new TextDecoder();
  const meter = createJsonMeter(JSON_BOUNDS);
  let bytes = 0;
  let text = "";
  for await (const chunk of bodyPieces(request, bounds)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge();
    const piece = decoder.decode(chunk, { stream: true });
    const fault = meter(piece);
    if (fault !== undefined) throw new AppError("too_large", `The body ${fault}.`);
    text += piece;
  }
  return text + decoder.decode();
}

/** The pieces of a body. Raises `invalid_request` for a sender who goes away or takes too long. */
export async function* bodyPieces(
  { body }: Request,
  { milliseconds, signal }: Omit<BodyBounds, "bytesMax">,
): AsyncIterable<Uint8Array> {
  const reader = body?.getReader();
  let stopped = false;
  const stop = () => {
    stopped = true;
    reader?.cancel().catch(() => {});
  };
  const timer = setTimeout(stop, milliseconds);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) yield next.value;
    if (stopped) throw new Error("it was given up");
  } catch (cause) {
    throw new AppError("invalid_request", "The body did not arrive whole.", { cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Raises `invalid_request` for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", "The body is not JSON that can be parsed.", { cause });
  }
}

/** How many values a JSON text may hold, and how deep within each other. */
interface JsonBounds {
  valuesMax: number;
  depthMax: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
/** The bit that turns `[` into `{`, and `]` into `}`. */
const TO_BRACE = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Counts what a JSON text holds while it comes, so that one of a million values is refused before anything is made of
 * them. Says what is wrong with it as soon as it is. Text that is not JSON is left to the parser.
 */
function createJsonMeter({ valuesMax, depthMax }: JsonBounds): (piece: string) => string | undefined {
  let isInText = false;
  let isEscaped = false;
  let depth = 0;
  let values = 1;

  /** The place behind a quoted text, or behind the piece where it goes on. An escaped quote does not end it. */
  function passText(piece: string, from: number): number {
    for (let at = from; ; ) {
      const quote = piece.indexOf('"', at);
      const end = quote === -1 ? piece.length : quote;
      let backslashes = 0;
      while (end - backslashes > from && piece[end - backslashes - 1] === "\\") backslashes++;
      // The piece before may have ended within an escape.
      const isCarried = isEscaped && backslashes === end - from;
      const isOdd = (backslashes + (isCarried ? 1 : 0)) % 2 === 1;
      if (quote === -1 || !isOdd) {
        isEscaped = quote === -1 && isOdd;
        isInText = quote === -1;
        return end + 1;
      }
      at = quote + 1;
    }
  }

  return (piece) => {
    for (let at = isInText ? passText(piece, 0) : 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      const brace = code | TO_BRACE;
      if (code === QUOTE) at = passText(piece, at + 1) - 1;
      else if (code === COMMA) values++;
      else if (brace === OPEN) {
        values++;
        depth++;
      } else if (brace === CLOSE) depth--;
      if (values > valuesMax) return `holds more than ${valuesMax} values`;
      if (depth > depthMax) return `holds lists and objects more than ${depthMax} deep within each other`;
    }
    return undefined;
  };
}
