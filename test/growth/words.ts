import { withoutCitations } from "../../src/answer/citations/citations.ts";
import { completeQuestion } from "../../src/answer/follow-up/follow-up.ts";
import { harmless } from "../../src/answer/harmless.ts";
import { readWrittenCalls } from "../../src/answer/looking/written-call.ts";
import { kindOfQuestion } from "../../src/answer/quoting/question-kind.ts";
import { createJudge } from "../../src/answer/support/judge.ts";
import { sentencesOf, states } from "../../src/answer/support/sentences.ts";
import { findSupport } from "../../src/answer/support/supporting-passages.ts";
import { createThinkingSplitter } from "../../src/answer/thinking.ts";
import { doesNotKnow } from "../../src/answer/unanswered/unanswered.ts";
import { writeRendered } from "../../src/connectors/rendered.ts";
import { writeWords } from "../../src/connectors/tracker/words.ts";
import { rewriteLinks } from "../../src/curated/rewrite-links.ts";
import { readDocument } from "../../src/documents/documents.ts";
import { analyze, analyzeQuestion } from "../../src/search/analyze.ts";
import { withoutAsking, withoutCircumstances, withoutNames } from "../../src/search/asking/asking.ts";
import { readQuery } from "../../src/search/read-query.ts";
import { namesLackedBy } from "../../src/search/relevance/lacking-names.ts";
import { programAskedOf } from "../../src/search/relevance/program-asked-of.ts";
import { lacksItsUndoing } from "../../src/search/relevance/relevance.ts";
import { askedIn } from "../../src/search/story/story.ts";
import { flatten } from "../../src/search/verbatim.ts";
import { findBareUrls } from "../../src/text/bare-url.ts";
import { findCodeSpans, outsideCode } from "../../src/text/code-spans.ts";
import { languageOf } from "../../src/text/language-of.ts";
import { snippet } from "../../src/text/snippet.ts";
import { splitSuggestions } from "../../src/text/suggestions.ts";
import { wordsOfName } from "../../src/text/words-of-name.ts";
import { createTargets } from "../../src/web/markdown/allowed-targets.ts";
import { parseBlocks } from "../../src/web/markdown/blocks.ts";
import type { Work } from "../helpers/growth.ts";
import { shownOf } from "../helpers/hostile-answers.ts";
import { readSloppy } from "../helpers/sloppy-models.ts";

const TARGETS = createTargets({ ownOrigins: ["https://docs.example"] });
const NO_ENGLISH = { has: () => false, logShareOf: () => -12 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** What readers ask, what models write, and what else is read that is no page. */
export const WORDS: Readonly<Record<string, Work>> = {
  "a question": (text) => [
    analyzeQuestion(text),
    readQuery(text),
    readQuery(text, { asYouType: true }),
    withoutAsking(text),
    withoutCircumstances(text, () => false),
    withoutNames(text, new Set(["acm"])),
    namesLackedBy(text, { of: new Map() }, new Set(analyzeQuestion(text)), NO_ENGLISH),
    lacksItsUndoing(text, async () => 0),
    programAskedOf(text, new Set(analyzeQuestion(text)), NO_ENGLISH),
    askedIn(text),
    kindOfQuestion(text),
    completeQuestion(text, [{ role: "user", text: "How do I install it?" }]),
  ],
  "words of a passage": (text) => [analyze(text), flatten(text), languageOf(text), snippet(text, 200)],
  "a name": (text) => wordsOfName(text),
  "addresses and code in words": (text) => [
    findBareUrls(text),
    findCodeSpans(text),
    outsideCode(text, (prose) => prose),
    splitSuggestions(text),
  ],
  "an answer's citations": (text) => [withoutCitations(text), shownOf([text])],
  "a model's reply": (text) => readSloppy([text]),
  "an answer's words": (text) => [
    harmless(text),
    doesNotKnow(text, "The docs do not cover this."),
    readWrittenCalls(text),
  ],
  "an answer's support": (text) => [
    sentencesOf(text),
    states({ text, isCode: false }),
    findSupport(text, []),
  ],
  "an answer's facts": (text) => {
    const judge = createJudge([{ number: 1, title: "", text }], "What is it?", text);
    return judge.judge({ text, isCode: false, code: [text], cites: [] }, []);
  },
  "a model's thoughts": (text) => {
    const splitter = createThinkingSplitter();
    return [...splitter.write("<think>a</think>"), ...splitter.write(text), ...splitter.end()];
  },
  "a curated answer": (text) => rewriteLinks(text, () => undefined),
  "an answer in the browser": (text) =>
    parseBlocks(text.split("\n"), { targets: TARGETS, headingOffset: 0 }, true),
  "a page as its server shows it": (text) =>
    writeRendered(text, { address: "https://wiki.example/a", edit: () => {} }),
  "an issue": (text) => writeWords(text, { referenceTo: (number) => `/${number}`, charactersMax: 1_000_000 }),
  "a table in CSV": (text) => readDocument(bytes(text), "csv"),
  RTF: (text) => readDocument(bytes(`{\\rtf1 ${text}}`), "rtf"),
  "a mail": (text) => readDocument(bytes(`From: a@b.example\nSubject: a\n\n${text}`), "eml"),
  "a mail's head": (text) => readDocument(bytes(`From: ${text}\n\nWords\n`), "eml"),
};
