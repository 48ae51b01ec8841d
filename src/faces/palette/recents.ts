import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";

/** A page or a question that the reader chose before. */
export interface Recent {
  words: string;
  /** Where it leads; undefined for a question. */
  url: string | undefined;
}

/** Where a text is kept between visits. */
export interface KeptText {
  get(): string | null;
  set(value: string): void;
}

export interface Recents {
  /** The latest first. */
  all(): Recent[];
  add(recent: Recent): void;
}

const RECENTS_MAX = 5;
const WORDS_CHARACTERS_MAX = 300;

export function createRecents(kept: KeptText): Recents {
  const all = () =>
    asList(jsonIn(kept.get() ?? ""))
      .flatMap((each): Recent[] => {
        const { words, url } = asRecord(each);
        const address = asText(url);
        const isWeb = address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? "");
        return typeof words === "string" && words !== "" && isWeb ? [{ words, url: address }] : [];
      })
      .slice(0, RECENTS_MAX);
  return {
    all,
    add(recent) {
      const words = recent.words.slice(0, WORDS_CHARACTERS_MAX);
      const others = all().filter((each) => each.url !== recent.url || each.words !== words);
      kept.set(JSON.stringify([{ ...recent, words }, ...others].slice(0, RECENTS_MAX)));
    },
  };
}
