import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compareFiles } from "../../../scripts/formats/shown.ts";
import { type ComparedPage, LACKING, lackingWords } from "../../../scripts/generators/shown-words.ts";

// A folder for each format: `pages` are ours, and `words.json` is what another program shows of them, a line for each
// block, written by `make formats`.
const RECORDED = join(import.meta.dir, "../../fixtures/formats");
const names = readdirSync(RECORDED);

interface Unsaid {
  sentences?: string[];
  numbers?: string[];
  words?: string[];
}

/** What Docent does not say, and why no sentence says something else for it. */
const UNSAID: Readonly<Record<string, Unsaid>> = {
  docbook: {
    numbers: [
      // A power is written "10^6".
      "harbour.xml: 106",
      // The stylesheets count procedures, tables, examples and figures, and number the notes.
      "harbour.xml: 1 how",
      "harbour.xml: 1 heights",
      "harbour.xml: 1 heights",
      "harbour.xml: 1 not",
      "harbour.xml: 1 no",
      "harbour.xml: 1 which",
      "tide.xml: 1",
      "tide.xml: 1 no",
      "tide.xml: 1 no",
    ],
    words: [
      // The heading that the stylesheets put above an abstract.
      "harbour.xml: abstract (Abstract)",
      // A link to a section says its title alone.
      "harbour.xml: called (It is about the Port of No Return, and about nothing else. See the section called “Tides”.)",
      // A remark is for those who write.
      "harbour.xml: print (Not for print.)",
      "harbour.xml: 106 (“quoted, never lost”, Moor™, 106,)",
      "harbour.xml: procedure (Procedure 1. How not to sink)",
      // A callout is marked with its kind.
      "harbour.xml: note (Note)",
      "harbour.xml: caution (Caution)",
      "harbour.xml: table (Below Table 1, “Heights that no ship may exceed”, <no> & none.)",
      "harbour.xml: table 1 (Table 1. Heights that no ship may exceed)",
      "harbour.xml: 1 (Example 1. Not a good one)",
      "harbour.xml: for (for (;;) never(3);)",
      "harbour.xml: figure 1 (Figure 1. No picture)",
      // These stand as often as written: what is generated above used them up.
      "harbour.xml: section (No section begins here)",
      "harbour.xml: 1 ([1] Which is not above, in 2 lines.)",
      // A parameter that is declared below its function stands in the declaration once.
      "harbour.xml: lines (int lines;)",
      "harbour.xml: the (Not the stern.)",
      "tide.xml: abstract (Abstract)",
      "tide.xml: the section called (See the rules, not the laws, the section called “How”,)",
      "tide.xml: 1 (tide and not a word less[1].)",
      "tide.xml: tip (Tip)",
      "tide.xml: equation 1 (Equation 1. No solution)",
      "tide.xml: 1 ([1] No note is lost.)",
    ],
  },
  dokuwiki: {
    // Powers are written "10^6", and sizes with an "x".
    numbers: [
      "data/pages/ops/moor.txt: h2o 106",
      "data/pages/ops/moor.txt: 106 never",
      "data/pages/ops/moor.txt: 640 480",
      "data/pages/ops/moor.txt: 480",
    ],
    words: [
      "data/pages/ops/moor.txt: 106 (H2O, 106, never struck. A forced break)",
      "data/pages/ops/moor.txt: 640 480 (stands here – not there — and 640×480.)",
    ],
  },
  mediawiki: {
    // The names of pictures that the wiki does not have, and the word that they used up.
    words: [
      "wiki.xml: file png (File:Pier.png)",
      "wiki.xml: pier (Old pier)",
      "wiki.xml: pier png (Pier.png)",
    ],
  },
  org: {
    // A link to a table that is named says its name, and not its number.
    sentences: ["harbour.org: 1 2 (see 1 moorings tides 1 2 and the rules here berth)"],
    // Powers and indexes are written "10^6", "x_1"; how much of a heading's list is done is no word of it.
    numbers: [
      "harbour.org: h2o 106",
      "harbour.org: 106 x1",
      "harbour.org: x1 and",
      "harbour.org: 1 2",
      "harbour.org: 1 moorings",
      "harbour.org: 1 2",
      "harbour.org: 2 and",
    ],
    words: [
      "harbour.org: h2o 106 x1 (stands here. H2O, 106, x1 and a α with no more than 5 GB.)",
      // Tags and the state of what is to be done are no words of a heading.
      "harbour.org: berths (Moorings berths)",
      "harbour.org: wait (WAIT Tides [1/2])",
      "harbour.org: 1 (See 1, Moorings, Tides [1/2] and the rules. Here, berth number 7, and never 8.)",
      "harbour.org: gone (GONE Last words: none)",
    ],
  },
  // What is meant for HTML alone is not text of the page.
  pod: { words: ["Tide.pod: html (Only for HTML.)"] },
};

const UNSAID_NONE: Unsaid = {};

describe.each(names)("%s: what is shown of a page", (name) => {
  const pages = Bun.file(join(RECORDED, name, "words.json"))
    .json()
    .then((published) => compareFiles(join(RECORDED, name, "pages"), published));
  const { sentences = [], numbers = [], words = [] } = UNSAID[name] ?? UNSAID_NONE;

  test("is of every page that the other program shows", async () => {
    const published: object = await Bun.file(join(RECORDED, name, "words.json")).json();
    expect((await pages).map(({ path }) => path)).toEqual(Object.keys(published));
  });

  test("has no sentence with words missing in it", async () => {
    expect((await pages).flatMap(LACKING["words inside of sentences"])).toEqual(sentences);
  });

  test("has every negation", async () => {
    expect((await pages).flatMap(LACKING.negations)).toEqual([]);
  });

  test("has every number, with what it counts", async () => {
    expect((await pages).flatMap(LACKING["numbers with what they count"])).toEqual(numbers);
  });

  test("has every word", async () => {
    expect((await pages).flatMap(lackingWords)).toEqual(words);
  });

  test("would be found to lack a word", async () => {
    const whole = await pages;
    expect(whole.map(holed).flatMap(LACKING.negations)).not.toEqual([]);
    expect(whole.map(holed).flatMap(LACKING["words inside of sentences"])).not.toEqual(sentences);
    expect(whole.map(holed).flatMap(lackingWords)).not.toEqual(words);
  });
});

/** The same page, which never says "not". */
const holed = ({ page, ...compared }: ComparedPage): ComparedPage => ({
  ...compared,
  page: {
    ...page,
    passages: page.passages.map((passage) => ({ ...passage, text: passage.text.replace(/\bnot /g, "") })),
  },
});
