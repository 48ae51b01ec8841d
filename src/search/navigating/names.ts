import { type Spelling, spellingOf, writtenWords } from "./spelling.ts";

/** A name in one of the forms in which readers type it. */
export interface NameForm {
  spelling: Spelling;
  /** 0 for the whole name, and more the less it is that. */
  part: number;
}

/** The last part of a page's address: `/guide/typescript` for "Working with TypeScript". */
export const ADDRESS = 1;
/** What stands before it was left out: `outDir` of `build.outDir`. */
export const WITHOUT_NAMESPACE = 2;

/** What stands behind a name: arguments, values, and what was put in brackets to explain it. */
const ARGUMENTS = /(?<=\S)\s*(?:[([{<=]|&lt;).*$/s;
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
  const bare = text.replace(ARGUMENTS, "");
  const names = bare.split(BETWEEN_NAMES);
  const wholes = [text, bare, ...(names.length > 1 && names.every(isOneWord) ? names : [])];
  const parts = [
    ...wholes.map((name) => name.trim().replace(NAMESPACE, "")),
    withoutBeginning(bare, beginnings),
  ];
  const forms = [
    ...wholes.map((name) => ({ spelling: spellingOf(name), part: 0 })),
    ...parts.map((name) => ({ spelling: spellingOf(name), part: WITHOUT_NAMESPACE })),
  ];
  const first = new Map(forms.toReversed().map((form) => [form.spelling.letters, form]));
  first.delete("");
  return [...first.values()].reverse();
}

const NO_WORDS: ReadonlySet<string> = new Set();
const isOneWord = (name: string) => !/\s/.test(name.trim());

/** A title without a word that many titles of its site begin with: `pnpm add` is the command `add`. */
function withoutBeginning(text: string, beginnings: ReadonlySet<string>): string {
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
