/** Signs by which a run shows how well it has read a source, beside its links. */
export interface RunSigns {
  /** Files that people write docs in, where the source's docs are; how many of them became pages, and how many git ignores. */
  files: number;
  became: number;
  ignored: number;
  /** Folders that hold most of the rest. */
  folders: string[];
  /** Pages that were read, and how many of them have a title and nothing else. */
  pages: number;
  blank: number;
  /** Passages that were read, and how many of them begin with the same mark. */
  passages: number;
  alike: number;
  beginning: string;
}

// Of 31 repositories and collections of docs, all files became pages of 30, and 13 in a hundred of one whose configuration lies
// beside the docs that it is for. 0 to 20 pages in a hundred were blank. 0 to 2 passages in a hundred began with a mark, and 62
// of a book whose marks a program takes out.
const BECAME_SHARE = 0.6;
const LEFT_MIN = 10;
const BLANK_SHARE = 0.3;
const BLANK_MIN = 5;
const ALIKE_SHARE = 0.1;
const ALIKE_MIN = 20;

type Counted = Partial<RunSigns>;

/** What of a source does not look like a site that was read whole, each in a sentence with what to do; none where all does. */
export function unlikeWords(signs: Counted): string[] {
  const { files = 0, became = 0, ignored = 0, folders = [] } = signs;
  const { pages = 0, blank = 0, passages = 0, alike = 0, beginning = "" } = signs;
  const words: string[] = [];
  const left = files - became;
  if (became > 0 && left >= LEFT_MIN && became < BECAME_SHARE * files) {
    const where = folders.length === 0 ? "" : ` The rest is in ${folders.join(", ")}.`;
    const why =
      ignored === 0
        ? "name the folder that holds all of the docs, or read the folder that their generator has built."
        : `${ignored} are ignored by .gitignore: build the site first, or read the folder that was built.`;
    words.push(`${became} of ${files} files became pages.${where} ${capital(why)}`);
  }
  if (blank >= BLANK_MIN && blank > BLANK_SHARE * pages)
    words.push(
      `${blank} of ${pages} pages have a title and nothing else: a program fills them. Read the folder that was built.`,
    );
  if (alike >= ALIKE_MIN && alike > ALIKE_SHARE * passages)
    words.push(
      `${alike} of ${passages} passages begin alike${beginning === "" ? "" : `, with "${beginning}"`}: marks of a program that was not run. Read the folder that was built.`,
    );
  return words;
}

/** The signs in what is kept of a run as counts. */
export const signsIn = (counts: Readonly<Record<string, number>>): string[] =>
  unlikeWords({
    files: counts["files"] ?? 0,
    became: counts["filesBecame"] ?? 0,
    ignored: counts["filesIgnored"] ?? 0,
    pages: counts["pagesRead"] ?? 0,
    blank: counts["pagesBlank"] ?? 0,
    passages: counts["passagesRead"] ?? 0,
    alike: counts["passagesAlike"] ?? 0,
  });

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
