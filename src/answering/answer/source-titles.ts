/** What a source is told apart by. */
interface TitledPassage {
  path: string;
  title: string;
  /** The outermost first. */
  headings: readonly string[];
}

const SEPARATOR = " › ";

/**
 * What sources are called: their page and their section. Those that would be called the same are told apart by all of
 * their headings, and then by their paths.
 */
export function sourceTitles(passages: readonly TitledPassage[]): string[] {
  const below = passages.map(({ title, headings }) => headings.filter((heading) => heading !== title));
  const short = passages.map(({ title }, at) => join(title, below[at]?.slice(-1)));
  const long = passages.map(({ title }, at) => join(title, below[at]));
  const told = short.map((name, at) => (isUnique(name, short) ? name : (long[at] ?? name)));
  return told.map((name, at) => {
    const path = passages[at]?.path;
    const others = passages.filter((each, other) => told[other] === name && each.path !== path);
    return others.length === 0 ? name : `${name} (${path})`;
  });
}

const join = (title: string, headings: readonly string[] = []) => [title, ...headings].join(SEPARATOR);
const isUnique = (name: string, names: readonly string[]) => names.indexOf(name) === names.lastIndexOf(name);
