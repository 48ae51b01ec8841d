import { describe, expect, test } from "bun:test";
import {
  type AnswerPassage,
  type GivenAnswer,
  reportAnswers,
  type Supports,
  scoreAnswer,
} from "../../../src/measuring/eval/answers/scores.ts";
import type { EvalQuestion } from "../../../src/measuring/eval/question.ts";

const question = (more: Partial<EvalQuestion> = {}): EvalQuestion => ({
  id: "1",
  text: "Which port?",
  subset: "",
  filter: {},
  pages: new Map([["serve", 1]]),
  sections: new Map(),
  spans: undefined,
  ...more,
});

const passage = (path: string, text: string, more: Partial<AnswerPassage> = {}): AnswerPassage => ({
  path,
  text,
  title: path,
  headings: [],
  anchors: ["port"],
  ranges: [],
  ...more,
});

const cites = (text: string, numbers: number[]): GivenAnswer["sentences"][number] => ({
  sentence: { text, isCode: false, code: [], cites: numbers },
  numbers,
});

const SERVE = passage("serve", "The port is 4711.");
const OTHER = passage("install", "Copy the binary.");

const given = (more: Partial<GivenAnswer> = {}): GivenAnswer => ({
  outcome: "answered",
  passages: [OTHER, SERVE],
  cited: [SERVE],
  text: "The port is 4711.",
  sentences: [cites("The port is 4711", [2])],
  promptTokens: 100,
  firstTextMs: 10,
  ...more,
});

const refused = given({ outcome: "unanswered", cited: [], sentences: [], passages: [OTHER] });
const supports: Supports = (sentence, { text }) => text.includes(sentence.text);
const score = (more?: Partial<GivenAnswer>, asked = question(), without = refused) =>
  scoreAnswer(asked, given(more), without, supports);

describe("scoring an answer", () => {
  test("an answer that cites its page, and whose passage says the sentence, is right in all", () => {
    expect(score()).toMatchObject({
      answered: true,
      pageFound: true,
      pageCited: true,
      placeCited: undefined,
      refused: true,
      cited: 1,
      citedRight: 1,
      stated: 1,
      supported: 1,
      failed: false,
    });
  });

  test("citing another page is wrong, and a passage that says something else supports nothing", () => {
    const wrong = { cited: [OTHER], sentences: [cites("The port is 4711", [1])] };
    expect(score(wrong)).toMatchObject({ pageCited: false, citedRight: 0, stated: 1, supported: 0 });
  });

  test("each passage cited behind a sentence is held against it; a number that no passage has is not", () => {
    const both = { sentences: [cites("The port is 4711", [1, 2, 9])] };
    expect(score(both)).toMatchObject({ stated: 2, supported: 1 });
  });

  test("what was not answered cites nothing: it is no wrong citation", () => {
    const declined = { outcome: "unanswered" as const, cited: [], sentences: [] };
    expect(score(declined)).toMatchObject({ answered: false, pageCited: undefined, placeCited: undefined });
  });

  test("where the section is known, its page alone is not enough", () => {
    const asked = question({ sections: new Map([["serve#port", 1]]) });
    expect(score({}, asked).placeCited).toBe(true);
    const elsewhere = { cited: [passage("serve", "", { anchors: ["host"] })] };
    expect(score(elsewhere, asked)).toMatchObject({ pageCited: true, placeCited: false });
  });

  test("where the words are known, the passage must hold them", () => {
    const asked = question({ spans: { path: "serve", ranges: [[100, 200]] } });
    expect(score({ cited: [passage("serve", "", { ranges: [[150, 250]] })] }, asked).placeCited).toBe(true);
    expect(score({ cited: [passage("serve", "", { ranges: [[190, 400]] })] }, asked).placeCited).toBe(false);
  });

  test("answering without the pages that answer is not refusing", () => {
    expect(score({}, question(), given()).refused).toBe(false);
  });

  test("a failure of either answer is a failure", () => {
    expect(score({}, question(), given({ outcome: "failed" }))).toMatchObject({
      failed: true,
      refused: false,
    });
    expect(score({ outcome: "failed" })).toMatchObject({ failed: true, answered: false });
  });
});

describe("reporting answers", () => {
  test("shares are of what they are said to be of", () => {
    const scores = [
      score(),
      score({ cited: [OTHER, SERVE, OTHER], promptTokens: 300 }),
      score({ cited: [OTHER], sentences: [], promptTokens: 200 }),
      score({ outcome: "unanswered", cited: [], sentences: [] }, question(), given()),
    ];
    expect(reportAnswers("test", scores)).toMatchObject({
      name: "test",
      questions: 4,
      failed: 0,
      promptTokens: 100,
      answered: { share: 3 / 4, of: 4 },
      pageCited: { share: 2 / 3, of: 3 },
      citedRight: { share: 2 / 5, of: 5 },
      supported: { share: 1, of: 2 },
      refused: { share: 3 / 4, of: 4 },
    });
  });

  test("where nothing was answered there is no share of answers, and it is not 0", () => {
    const none = reportAnswers("test", [score({ outcome: "unanswered", cited: [], sentences: [] })]);
    expect([none.pageCited.of, none.citedRight.of, none.supported.of]).toEqual([0, 0, 0]);
    expect(none.pageCited.share).toBeNaN();
  });
});
