import { type Spelling, spellingOf, writtenWords } from "./spelling.ts";

/** A name in one of the forms in which readers type it. */
export interface NameForm {
  spelling: Spelling;
  /** 0 for the whole name, and more the less it is that. */
  part: number;
}

const WHOLE = 0;
/** The last part of a page's address: `/guide/typescript` for "Working with TypeScript". */
export const ADDRESS = 1;
/** What stands before it was left out: `outDir` of `build.outDir`. */
const WITHOUT_NAMESPACE = 2;

/** What a name ends with: arguments and what they give, values, and what was put in brackets to explain it. */
const ARGUMENTS = /(?<=\S)(?:\s*(?:[([{<]|&lt;)[^\n]*[)\]}>](?:\s*->[^\n]*)?|=\S*)$/;
/** What stands between two names of one thing: `--prod, -P`. */
const BETWEEN_NAMES = /,\s+|\s[/|]\s/;
/** What a name without spaces may stand behind: `build.outDir`, `std::vector`, `client:load`, `@astrojs/mdx`. */
const NAMESPACE = /^\S*[\p{L}\p{N}](?:\.|::?|\/|#)(?=[\p{L}\p{N}_-]+$)/u;

/** The forms in which a page is typed. */
export function formsOfPage(title: string, path: string, beginnings: ReadonlySet<string>): NameForm[] {
  const segment = path.slice(path.lastIndexOf("/") + 1).replace(EXTENSION, "");
  const address = { spelling: spellingOf(segment), part: ADDRESS };
  const forms = formsOf(title, beginnings);
  const isOther = forms.every(({ spelling }) => spelling.letters !== address.spelling.letters);
  return isOther && address.spelling.letters !== "" ? [...forms, address] : forms;
}

const EXTENSION = /(?<=.)\.[a-z]{2,5}$/;

/** The forms of a title or heading in which it is typed, the whole one first; none where it has no letters. */
export function formsOf(text: string, beginnings: ReadonlySet<string> = NO_WORDS): NameForm[] {
  const bare = MAY_HAVE_ARGUMENTS.test(text) ? text.replace(ARGUMENTS, "") : text;
  const several = MAY_BE_SEVERAL.test(bare) ? bare.split(BETWEEN_NAMES) : [];
  const wholes = [text, bare, ...(several.length > 1 && several.every(isOneWord) ? several : [])];
  const parts = [...wholes.filter(isOneWord).map(withoutNamespace), withoutBeginning(bare, beginnings)];
  const forms = new Map<string, NameForm>();
  for (const [names, part] of [
    [wholes, WHOLE],
    [parts, WITHOUT_NAMESPACE],
  ] as const)
    for (const name of new Set(names)) {
      const spelling = spellingOf(name);
      if (spelling.letters !== "" && !forms.has(spelling.letters))
        forms.set(spelling.letters, { spelling, part });
    }
  return [...forms.values()];
}

const NO_WORDS: ReadonlySet<string> = new Set();
const isOneWord = (name: string) => !/\s/.test(name.trim());
const withoutNamespace = (name: string) => name.trim().replace(NAMESPACE, "");
// Most names have none of these marks, and are read several times as fast.
const MAY_HAVE_ARGUMENTS = /[)\]}>=]/;
const MAY_BE_SEVERAL = /[,/|]/;

/** A title without a word that many titles of its site begin with: `pnpm add` is the command `add`. */
function withoutBeginning(text: string, beginnings: ReadonlySet<string>): string {
  if (beginnings.size === 0) return "";
  const [first = "", ...others] = text.split(/\s+/);
  return beginnings.has(spellingOf(first).letters) ? others.join(" ") : "";
}

/** So many titles, and such a share of all, begin with a word that names the product rather than the page. */
const BEGINNINGS_MIN = 5;
const BEGINNINGS_SHARE = 0.1;

/** Counts the words that titles begin with. */
export function createBeginnings() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    add(title: string): void {
      const [first = "", ...others] = writtenWords(title);
      all += 1;
      if (others.length > 0) counts.set(first, (counts.get(first) ?? 0) + 1);
    },
    /** Those that many titles begin with. */
    common(): Set<string> {
      const least = Math.max(BEGINNINGS_MIN, BEGINNINGS_SHARE * all);
      return new Set([...counts].filter(([, count]) => count >= least).map(([word]) => word));
    },
  };
}
