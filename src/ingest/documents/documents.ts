import { type ChildReadingOptions, createChildReading } from "./child-reading.ts";
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
