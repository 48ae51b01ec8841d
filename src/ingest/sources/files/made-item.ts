import { decodeText } from "../../../text/decode-bytes.ts";
import type { SourceItem } from "../../source-reader.ts";
import type { ReadableFile } from "./tree-file.ts";

/** A page as it is made: what stands in front of it, and its Markdown. */
interface MadePage {
  data: Record<string, unknown>;
  markdown: string;
  faults: readonly string[];
}

/**
 * A page that is made Markdown when it is read. It has no validator of its own: what it takes from other files may have
 * changed although it has not.
 */
export function madeItem(
  { location, read }: Pick<ReadableFile, "location" | "read">,
  { path, found, format }: Pick<SourceItem, "path" | "found" | "format">,
  make: (text: string) => MadePage | Promise<MadePage>,
): SourceItem {
  const faults: string[] = [];
  return {
    path,
    location,
    found,
    format,
    faults,
    async read() {
      const bytes = await read();
      const text = decodeText(bytes, { html: false })?.text;
      // What is no text says so for itself.
      if (text === undefined) return bytes;
      const page = await make(text);
      faults.push(...page.faults);
      // JSON is YAML.
      return new TextEncoder().encode(`---\n${JSON.stringify(page.data)}\n---\n${page.markdown}`);
    },
  };
}
