import { jsonIn } from "@docent/kernel/text/json";
import { z } from "zod";
import {
  createReadingProcess,
  type Ending,
  type ProcessOptions,
} from "../reading-process/reading-process.ts";
import { createOwnReading, type DocumentReading } from "./reading.ts";

export { documentItem, isReadByTheseReaders } from "./document-item.ts";
export { createOwnReading, type DocumentReading } from "./reading.ts";

interface ReadingOptions extends Omit<ChildReadingOptions, "command"> {
  /** The command that starts this program to read documents; without it they are read in this process. */
  command: readonly string[] | undefined;
}

/** Opens what reads the documents of sources. */
export const openDocumentReading = ({ command, ...bounds }: ReadingOptions): DocumentReading =>
  command === undefined
    ? createOwnReading(bounds.bytesMax, bounds.keptBytesMax)
    : createChildReading({ command, ...bounds });

interface ChildReadingOptions extends ProcessOptions {
  /** The largest file that is read. */
  bytesMax: number;
  /** The largest that is kept as it is; 0: none. */
  keptBytesMax: number;
  /** How long one document may take. */
  documentMs: number;
}

const replyShape = z.union([
  z.object({ unreadable: z.string() }),
  z.object({ data: z.record(z.string(), z.string()), markdown: z.string(), faults: z.array(z.string()) }),
]);

/** Reads documents in a process of their own: a file may be made to take all memory, or never to end. */
function createChildReading(options: ChildReadingOptions): DocumentReading {
  const { bytesMax, keptBytesMax, documentMs } = options;
  const reading = createReadingProcess(options);
  return {
    bytesMax,
    keptBytesMax,
    async read(content, kind, signal) {
      const bounds = { clockMs: documentMs };
      const said = await reading.ask({ head: { document: kind }, body: content, bounds, signal });
      if (typeof said === "string") return { unreadable: whyUnread(said, options) };
      const reply = replyShape.safeParse(jsonIn(new TextDecoder().decode(said)));
      return reply.success ? reply.data : { unreadable: whyUnread("itself", options) };
    },
  };
}

function whyUnread(ending: Ending, { documentMs, memoryBytesMax }: ChildReadingOptions): string {
  switch (ending) {
    case "time":
      return `takes more than ${documentMs / 1000} seconds to read`;
    case "memory":
      return `takes more than ${Math.round(memoryBytesMax / 1_000_000)} MB of memory to read`;
    case "itself":
      return "is damaged, or was made to harm: the process that read it has ended";
  }
}
