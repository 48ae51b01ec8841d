import { createServerEvents } from "./server-events.ts";
import { readStreamPart, type StreamPart } from "./stream-part.ts";

/** The parts of an answer's stream as they come, up to the one that ends it. */
export async function* readAnswer(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamPart> {
  const events = createServerEvents();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      onBytes();
      for (const data of events.write(read.value)) {
        const part = readStreamPart(data);
        if (part !== undefined) yield part;
        if (part?.type === "finish" || part?.type === "error") return;
      }
    }
  } finally {
    // Nothing waits for it: a connection that broke would say so once more.
    reader.cancel().catch(() => {});
  }
}
