import type { SourceItem } from "../../source-reader.ts";
import type { ReadableFile } from "./tree-file.ts";
import { type PageWriting, writtenItem } from "./written-item.ts";

/** A page as it is made: what stands in front of it, and its Markdown. */
interface MadePage {
  data: Record<string, unknown>;
  markdown: string;
  faults: readonly string[];
}

/** A page that is made Markdown when it is read. */
export const madeItem = (
  file: Pick<ReadableFile, "location" | "read">,
  place: Omit<PageWriting, "write">,
  make: (text: string) => MadePage | Promise<MadePage>,
): SourceItem =>
  writtenItem(file, {
    ...place,
    async write(text) {
      const { data, markdown, faults } = await make(text);
      // JSON is YAML.
      return { text: `---\n${JSON.stringify(data)}\n---\n${markdown}`, faults };
    },
  });
