/** What a link's title, or a heading, says to Docsify: `:include :type=code :fragment=demo`. */
interface Options {
  /** What is left of the words. */
  words: string;
  /** By their names; true for one without a value. */
  options: ReadonlyMap<string, string | true>;
}

/** Takes options out of words, as Docsify does: anything that begins with a colon is one. */
export function readOptions(written: string): Options {
  const options = new Map<string, string | true>();
  const words = written
    .replace(/^['"]|['"]$/g, "")
    .replace(/(?:^|\s):([\w-]+:?)=?([\w%-]+)?/g, (whole, name: string, value?: string) => {
      if (name.endsWith(":")) return whole;
      if (value !== undefined || !options.has(name)) options.set(name, value ?? true);
      return "";
    })
    .trim();
  return { words, options };
}

/** A link or an image with a title: `[words](href 'title')`. */
const TITLED =
  /(!?)\[((?:[^[\]\\\n]|\\.|\[[^\]\n]*\]){0,500})\]\((<[^<>\n]{1,1000}>|[^\s()]{1,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?)[ \t]+(?:"([^"\n]{0,500})"|'([^'\n]{0,500})')[ \t]*\)/g;

/** A link or an image whose title has options. */
export interface TitledLink extends Options {
  whole: string;
  isImage: boolean;
  label: string;
  /** As it is written, without angle brackets. */
  href: string;
}

/** Replaces the links whose titles have options; undefined leaves one as it is. */
export function replaceTitled(line: string, replace: (link: TitledLink) => string | undefined): string {
  if (!line.includes("](")) return line;
  return line.replace(TITLED, (whole, mark: string, label: string, target: string, double, single) => {
    const title: unknown = double ?? single;
    const { words, options } = readOptions(typeof title === "string" ? title : "");
    if (options.size === 0) return whole;
    const href = target.replace(/^<|>$/g, "");
    return replace({ whole, isImage: mark === "!", label, href, words, options }) ?? whole;
  });
}

/** A link with the title that readers see. */
export function writeTitled({ isImage, label, href, words }: TitledLink): string {
  const title = words === "" ? "" : ` "${words.replaceAll('"', "'")}"`;
  return `${isImage ? "!" : ""}[${label}](${/[\s()]/.test(href) ? `<${href}>` : href}${title})`;
}
