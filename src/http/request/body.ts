import type { z } from "zod";
import { AppError, type FaultDetail } from "../../errors.ts";

export interface BodyBounds {
  bytesMax: number;
  /** How long its sender may take. */
  milliseconds: number;
  /** Ends the reading. */
  signal: AbortSignal;
}

/** Reads a JSON body within its bounds and checks it. Every fault is reported with its path. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>, bounds: BodyBounds): Promise<T> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json")) {
    throw new AppError(
      "unsupported_media_type",
      "Send JSON, with the header content-type: application/json.",
    );
  }
  return checkBody(schema, parseJson(await readText(request, bounds)), "The body");
}

/** Checks what was sent, in words for whoever sent it. `whole` is what it is called where the fault is in all of it. */
export function checkBody<T>(schema: z.ZodType<T>, sent: unknown, whole: string): T {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap(faultsOf);
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  throw new AppError("invalid_request", `${first?.path || whole}: ${first?.message}${more}`, {
    details,
  });
}

async function readText(request: Request, { bytesMax, ...bounds }: BodyBounds): Promise<string> {
  const tooLarge = () => new AppError("too_large", `The body is larger than ${bytesMax} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of bodyPieces(request, bounds)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What comes of the body. A sender who goes away, or takes too long, is at fault and not the server. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_request", "The body is not JSON that can be parsed.", { cause });
  }
}

/** What is wrong, and where. Names that are not known are each told where they stand. */
function faultsOf(issue: z.core.$ZodIssue): FaultDetail[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") return [{ path: showPath(path), message }];
  return issue.keys.map((key) => ({ path: showPath([...path, key]), message: "is not known" }));
}

/** `messages[0].parts`, as a person would write it. */
function showPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}
