import { expect, test } from "bun:test";
import { phrasesFor } from "../../src/sites/phrases.ts";

test("a language's first part says which sentences; one that is not known, whatever it is called, is English", () => {
  const english = phrasesFor("en");
  expect(phrasesFor("de-AT").sources).toBe("Quellen:");
  for (const unknown of ["xx", "constructor", "__proto__", "toString", ""])
    expect(phrasesFor(unknown)).toEqual(english);
});
