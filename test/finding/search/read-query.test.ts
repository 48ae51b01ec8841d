import { describe, expect, test } from "bun:test";
import { analyze } from "../../../src/finding/search/analyze.ts";
import { readQuery } from "../../../src/finding/search/read-query.ts";

describe("what a question asks the keyword index for", () => {
  test("its words, each once, without those that every question has", () => {
    const { terms, phrases, identifiers, prefix } = readQuery(
      "How do I install the zebra, and install it again?",
    );
    expect(terms).toEqual([...new Set(analyze("install zebra again"))]);
    expect([phrases, identifiers, prefix]).toEqual([[], [], undefined]);
  });

  test("names among the words, as they are written", () => {
    const { terms, identifiers } = readQuery("why does max_page_count fail with E1234?");
    expect(identifiers).toContain("max_page_count");
    expect(identifiers.every((name) => terms.includes(name))).toBe(true);
  });

  test("what stands in quotes of any kind, in its order, as phrases", () => {
    for (const text of [
      'the "turn engine off" switch',
      "“turn engine off”",
      "«turn engine off»",
      "「turn engine off」",
    ])
      expect(readQuery(text).phrases).toEqual([analyze("turn engine off")]);
  });

  test("one word in quotes, an open quote and quotes of nothing are no phrases", () => {
    for (const text of ['"engine"', 'the "engine is', '""', '" "', "it's 5\" long"])
      expect(readQuery(text).phrases).toEqual([]);
  });

  test("the beginning of the last word, where it is being typed", () => {
    const prefixOf = (text: string) => readQuery(text, { asYouType: true }).prefix;
    expect([prefixOf("install confi"), prefixOf("Install CONFI")]).toEqual(["confi", "confi"]);
    expect([prefixOf("install "), prefixOf("install?"), prefixOf("")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(readQuery("install confi").prefix).toBeUndefined();
  });

  test("a word that is typed to its end is found by its stem", () => {
    for (const word of ["configuring", "installed", "categories", "databases"]) {
      const { prefix = "" } = readQuery(word, { asYouType: true });
      expect(prefix.length).toBeGreaterThan(1);
      expect(analyze(word).some((term) => term.startsWith(prefix))).toBe(true);
    }
  });

  test("no more of it than a bound, however long it is", () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${index} "quoted thing ${index}"`).join(" ");
    const { terms, phrases } = readQuery(words);
    expect([terms.length < 200, phrases.length < 10]).toEqual([true, true]);
  });

  test("nothing of nothing", () => {
    for (const text of ["", "   ", "?!", "the of and"])
      expect(readQuery(text)).toEqual({
        terms: readQuery(text).terms,
        phrases: [],
        identifiers: [],
        verbatim: [],
        isVerbatim: false,
        spellings: [],
        neighbours: readQuery(text).neighbours,
        prefix: undefined,
      });
    expect(readQuery("?!").terms).toEqual([]);
  });
});
