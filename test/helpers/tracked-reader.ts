import type { Authored } from "../../src/reading/markdown/kept-words/kept-words.ts";
import type { Skipped, SourceItem, SourceReader } from "../../src/reading/source-reader.ts";

/** A page of a source; an Error in the place of its text is what reading it raises. */
export interface TrackedPage {
  text: string | Error;
  validator?: string;
  /** `<path>.md` where it is not said. */
  location?: string;
  format?: SourceItem["format"];
  /** What its author wrote, where the text was made from that. */
  authored?: Authored;
}

export type TrackedPages = Readonly<Record<string, string | TrackedPage>>;

interface TrackedOptions {
  skipped?: Skipped[];
  /** Raised behind the last page. */
  death?: Error;
}

/** A source that is text by path, and notes which pages were really read. */
export function trackedReader(
  pages: TrackedPages,
  { skipped = [], death }: TrackedOptions = {},
): SourceReader & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    async *list() {
      yield* skipped;
      for (const [path, page] of Object.entries(pages)) {
        const { text, validator, location = `${path}.md`, format = "md", authored } = whole(page);
        yield {
          path,
          location,
          format,
          validator,
          found: "test",
          authored: () => authored,
          async read() {
            reads.push(path);
            if (text instanceof Error) throw text;
            return new TextEncoder().encode(text);
          },
        };
      }
      if (death) throw death;
    },
  };
}

const whole = (page: string | TrackedPage): TrackedPage => (typeof page === "string" ? { text: page } : page);

/** Each page with its text as its validator: as a source that knows what has changed without reading it. */
export function validated(pages: Readonly<Record<string, string>>): Record<string, TrackedPage> {
  return Object.fromEntries(
    Object.entries(pages).map(([path, text]) => [path, { text, validator: `v:${text}` }]),
  );
}
