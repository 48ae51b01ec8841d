import { describe, expect, test } from "bun:test";
import { READER_LABELS } from "../../../src/doors/reader-site/words/words.ts";
import { LANGUAGES } from "../../../src/kernel/text/languages.ts";
import { phrasesFor } from "../../../src/sites/site/phrases.ts";
import { OWN_WORDS } from "../../../src/sites/site/words/words.ts";

test("a language's first part says which sentences; one that is not known, whatever it is called, is English", () => {
  const english = phrasesFor("en");
  expect(phrasesFor("de-AT").sources).toBe("Quellen:");
  expect(phrasesFor("pt").sources).toBe("Fontes:");
  expect(phrasesFor("zh-HK").sources).toBe("來源：");
  for (const unknown of ["xx", "constructor", "__proto__", "toString", ""])
    expect(phrasesFor(unknown)).toEqual(english);
});

/** What is the same word in English, in the languages that borrowed it, or lent it. */
const SAME_WORDS: Record<string, string[]> = {
  cs: ["callouts.tip"],
  de: ["links", "version"],
  es: [],
  fr: ["callouts.important", "menu", "pages", "version"],
  id: ["menu"],
  it: ["menu"],
  nl: ["callouts.tip", "links", "menu"],
  pl: ["menu"],
  "pt-BR": ["links", "menu"],
  sv: ["version"],
};

/** The texts of words that may stand in groups, by their names. */
function textsIn(words: object, group = ""): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, text]): [string, string][] =>
      typeof text === "string" ? [[group + name, text]] : [...textsIn(text, `${group}${name}.`)],
    ),
  );
}
const placeholdersOf = (text = "") => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe.each(LANGUAGES.filter((language) => language !== "en"))("Docent's own words in %s", (language) => {
  const pairs = [
    [OWN_WORDS.en, OWN_WORDS[language]],
    [READER_LABELS.en, READER_LABELS[language]],
  ].map(([english = {}, other = {}]) => [textsIn(english), textsIn(other)] as const);

  test("all are there, with what is filled in", () => {
    for (const [english, other] of pairs) {
      expect([...other.keys()].sort()).toEqual([...english.keys()].sort());
      expect([...other.values()].filter((text) => text === "" || text.trim() !== text)).toEqual([]);
      for (const [name, text] of english)
        expect(placeholdersOf(other.get(name))).toEqual(placeholdersOf(text));
    }
  });

  test("none is left in English", () => {
    const same = pairs.flatMap(([english, other]) =>
      [...english].filter(([name, text]) => other.get(name) === text).map(([name]) => name),
    );
    expect(same.sort()).toEqual(SAME_WORDS[language] ?? []);
  });
});
