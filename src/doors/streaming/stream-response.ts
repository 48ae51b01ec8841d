import { SECOND_MS } from "@docent/kernel/lib/clock";

const BUFFERED_BYTES_MAX = 1_048_576;

/** The settings by which a quiet stream is kept open, under their own names. */
export interface HeartbeatSettings {
  heartbeat_seconds: number;
  connection_idle_seconds: number;
}

/** At most half the idle timeout of a connection: a stream whose model is thinking must not be cut off. */
export const heartbeatMsOf = ({ heartbeat_seconds, connection_idle_seconds }: HeartbeatSettings) =>
  Math.min(heartbeat_seconds, connection_idle_seconds / 2) * SECOND_MS;

interface StreamOptions {
  /** Sent when nothing else was for a while. */
  heartbeat: string;
  heartbeatMs: number;
  headers: Record<string, string>;
  /** Called once, however the stream ends. */
  onEnd: () => void;
}

/**
 * A response that sends text as it comes. A reader who is slower than the model does not hold it up: what was not
 * read yet waits here, up to a bound. When the reader goes away, `abort` is called and the source is closed.
 */
export function streamResponse(
  source: AsyncIterator<string>,
  abort: AbortController,
  { heartbeat, heartbeatMs, headers, onEnd }: StreamOptions,
): Response {
  const encoder = new TextEncoder();
  let cancelled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    onEnd();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setTimeout(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(heartbeat));
          timer?.refresh();
        }, heartbeatMs);
      },
      async pull(controller) {
        const next = await source.next().catch((error) => {
          end();
          throw error;
        });
        if (cancelled) return;
        if (next.done) {
          end();
          controller.close();
          return;
        }
        timer?.refresh();
        controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        cancelled = true;
        abort.abort();
        try {
          await source.return?.();
        } finally {
          end();
        }
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES_MAX }),
  );
  return new Response(body, { headers });
}
