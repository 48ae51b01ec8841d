import { type Analytics, EXPORT_FORMATS, type ExportFormat } from "@docent/measuring/analytics";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { type AdminGuards, adminOperation } from "../admin/guard.ts";
import type { Operation } from "../operation.ts";
import { periodFields, readPeriod } from "../request/fields.ts";
import type { Streams } from "../streaming/answering.ts";

const exportSchema = z.object({ ...periodFields, format: z.enum(EXPORT_FORMATS) });

const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
};

/** Sends all conversations as a file, piece by piece. */
export const exportConversations = (analytics: Analytics, streams: Streams, guards: AdminGuards): Operation =>
  adminOperation({
    id: "exportConversations",
    method: "GET",
    path: "/v1/analytics/:domain/export",
    tag: "Analytics",
    guard: guards.reads,
    records: ["conversations.exported"],
    query: exportSchema,
    summary: "Export all conversations",
    replies: {
      200: { description: "The file.", contentType: "text/csv", otherTypes: ["application/x-ndjson"] },
    },
    async run({ site, record, query, signal }) {
      const { format, ...dates } = query();
      const texts = analytics.export(site(), readPeriod(dates), format);
      // Before the first byte: whoever leaves in the middle has read what came.
      await record({ kind: "conversations.exported", details: { format } });
      return exportReply(site(), format, texts, { streams, signal });
    },
  });

function exportReply(
  { domain }: Site,
  format: ExportFormat,
  texts: AsyncGenerator<string>,
  { streams, signal }: { streams: Streams; signal: AbortSignal },
): Response {
  const stop = new AbortController();
  const onEnd = streams.add(stop);
  const content = textStream(texts, { signal: AbortSignal.any([signal, stop.signal]), onEnd });
  return new Response(content, {
    headers: {
      "content-type": CONTENT_TYPES[format],
      "content-disposition": `attachment; filename="${domain}-conversations.${format}"`,
      "x-content-type-options": "nosniff",
    },
  });
}

interface TextStreamOptions {
  /** Cuts the stream off. */
  signal: AbortSignal;
  onEnd: () => void;
}

/** Texts as the body of a reply. Each is made when there is room for it: no more than one waits for a slow reader. */
export function textStream(
  texts: AsyncGenerator<string>,
  { signal, onEnd }: TextStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let hasEnded = false;
  let cutOff = () => {};

  async function end(): Promise<void> {
    if (hasEnded) return;
    hasEnded = true;
    signal.removeEventListener("abort", cutOff);
    onEnd();
    await texts.return(undefined);
  }

  return new ReadableStream({
    start(controller) {
      cutOff = () => {
        controller.error(signal.reason);
        void end();
      };
      signal.addEventListener("abort", cutOff, { once: true });
      if (signal.aborted) cutOff();
    },
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (hasEnded) return;
        if (!done) return controller.enqueue(encoder.encode(value));
        controller.close();
      } catch (error) {
        // An error and no end, so that nobody takes what came for the whole.
        if (!hasEnded) controller.error(error);
      }
      await end();
    },
    cancel: end,
  });
}
