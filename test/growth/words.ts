import { withoutCitations } from "../../src/answering/answer/citations/citations.ts";
import { completeQuestion } from "../../src/answering/answer/follow-up/follow-up.ts";
import { harmless } from "../../src/answering/answer/harmless.ts";
import { readWrittenCalls } from "../../src/answering/answer/looking/written-call.ts";
import { kindOfQuestion } from "../../src/answering/answer/quoting/question-kind.ts";
import { createJudge } from "../../src/answering/answer/support/judge.ts";
import { sentencesOf, states } from "../../src/answering/answer/support/sentences.ts";
import { findSupport } from "../../src/answering/answer/support/supporting-passages.ts";
import { createThinkingSplitter } from "../../src/answering/answer/thinking.ts";
import { doesNotKnow } from "../../src/answering/answer/unanswered/unanswered.ts";
import { rewriteLinks } from "../../src/answering/curated/rewrite-links.ts";
import { createTargets } from "../../src/faces/markdown/allowed-targets.ts";
import { parseBlocks } from "../../src/faces/markdown/blocks.ts";
import { analyze, analyzeQuestion } from "../../src/finding/search/analyze.ts";
import { withoutAsking, withoutCircumstances, withoutNames } from "../../src/finding/search/asking/asking.ts";
import { readQuery } from "../../src/finding/search/read-query.ts";
import { namesLackedBy } from "../../src/finding/search/relevance/lacking-names.ts";
import { programAskedOf } from "../../src/finding/search/relevance/program-asked-of.ts";
import { lacksItsUndoing } from "../../src/finding/search/relevance/relevance.ts";
import { askedIn } from "../../src/finding/search/story/story.ts";
import { flatten } from "../../src/finding/search/verbatim.ts";
import { findBareUrls } from "../../src/kernel/text/bare-url.ts";
import { findCodeSpans, outsideCode } from "../../src/kernel/text/code-spans.ts";
import { languageOf } from "../../src/kernel/text/language-of.ts";
import { snippet } from "../../src/kernel/text/snippet.ts";
import { splitSuggestions } from "../../src/kernel/text/suggestions.ts";
import { wordsOfName } from "../../src/kernel/text/words-of-name.ts";
import { writeRendered } from "../../src/reading/connectors/rendered.ts";
import { writeWords } from "../../src/reading/connectors/tracker/write.ts";
import { readDocument } from "../../src/reading/documents/documents.ts";
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
