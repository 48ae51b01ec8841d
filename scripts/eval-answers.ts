import type { AnswersReport } from "../src/measuring/eval/answers/answers.ts";
import { answersTables } from "../src/measuring/eval/answers/answers.ts";
import { toMarkdown } from "../src/measuring/eval/tables.ts";
import { NotHere } from "./bounded.ts";
import { MODELS } from "./live/models.ts";
import { openLiveOllama } from "./live/ollama.ts";

/** The page about the quality of answers. */
export const ANSWERS_PAGE = "docs/answer-quality.md";
/** A model takes half a minute for a question without a graphics card. */
const MODEL_SAMPLE = 8;
/** A small model that finds no end writes as much as it may. */
const MODEL_ANSWER_TOKENS = 200;
const OBTAIN_MS = 5 * 60_000;

/** Runs `docent eval` with these arguments, and returns its JSON output. */
export type DocentEval = <T>(...words: string[]) => Promise<T>;

/** A set with the questions it is asked. */
export interface AnsweredSet {
  name: string;
  about: string;
  options: string[];
}

interface Measured {
  answers: AnswersReport[];
}

/** Where models answer, or why none does. */
export type AnswerModels = { url: string; names: string[]; says: string } | { missing: string };

/** The models of `make live`, on an Ollama of their own. Whatever is started goes onto the stack. */
export async function openAnswerModels(stack: AsyncDisposableStack): Promise<AnswerModels> {
  const models = MODELS.filter(({ embeds }) => embeds !== true);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  try {
    const untilMs = Date.now() + OBTAIN_MS;
    const { server, version } = await openLiveOllama(stack, { models, untilMs, say });
    const says = models.map(({ name, is }) => `${name} is ${is}`).join("; ");
    return { url: server.url, names: models.map(({ name }) => name), says: `Ollama ${version}; ${says}` };
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    return { missing: `no real Ollama could be had (${error.message})` };
  }
}

/** A set's section of the page: the quoting responder answered every question, models a sample. */
export async function answersSection(
  docentEval: DocentEval,
  { name, about, options }: AnsweredSet,
  models: AnswerModels,
): Promise<string> {
  const { answers } = await docentEval<Measured>(name, ...options, "--answers");
  const parts = [`## ${name}\n\n${about}`, ...showTables(name, answers)];
  if ("url" in models)
    parts.push(...showTables(`${name}, a sample`, await sampled(docentEval, name, models)));
  return parts.join("\n\n");
}

async function sampled(
  docentEval: DocentEval,
  name: string,
  { url, names }: Extract<AnswerModels, { url: string }>,
): Promise<AnswersReport[]> {
  const rows: AnswersReport[] = [];
  for (const model of names) {
    const asked = ["--answers", "--sample", String(MODEL_SAMPLE), "--model", model, "--ollama-host", url];
    const { answers } = await docentEval<Measured>(
      name,
      ...asked,
      "--answer-tokens",
      String(MODEL_ANSWER_TOKENS),
    );
    // The quoting responder answers the same sample each time.
    rows.push(...(rows.length === 0 ? answers : answers.filter((report) => report.name === model)));
  }
  return rows;
}

const showTables = (name: string, answers: readonly AnswersReport[]) =>
  answersTables(answers).map((table) => `### ${name}: ${table.title}\n\n${toMarkdown(table)}`);

/** Measured without a judge on sets that are not in the repository. */
const IN_READERS_WORDS = `## In the words of readers who do not know the docs

On 28 November 2026, people's questions from imagined problems were asked without a model. There are 50 each for the docs
of dokku (839 passages), celery (1,861) and jellyfin (601), and 30 for a made-up tool's five pages. Others name the product and
ask for what its docs do not cover, or are about other software, or about neither.

| | dokku | celery | jellyfin | five pages |
| --- | --- | --- | --- | --- |
| what answers is among the first five passages | .58 | .54 | .70 | .77 |
| what is quoted holds it | .38 | .42 | .40 | .43 |
| quoted as the answer / as what comes nearest / refused | 31 / 15 / 4 | 31 / 16 / 3 | 30 / 14 / 6 | 11 / 14 / 5 |
| not covered, names the product: quoted as the answer / as what comes nearest | 3 / 2 of 15 | 1 / 1 of 15 | 2 / 3 of 15 | 1 / 3 of 7 |
| other software: the same | 1 / 2 of 15 | 1 / 3 of 15 | 1 / 5 of 15 | 1 / 0 of 4 |
| about neither: the same | 0 / 0 of 10 | 1 / 1 of 10 | 0 / 3 of 10 | 0 / 1 of 4 |

What is missed is nearly always said in words that the question does not have: the same questions in the docs' words find
what answers in .82 to .98 of them. A model writes them so, where there is one: then the text that answers is in what the
model reads for .92, .90, 1.00 and .97 of the questions. With questions that a model wrote beforehand for dokku's passages, a
quote holds the answer for .44, without any model while asking. Of other software's questions, those come nearest that the
docs touch on as well: how to undo a commit, in docs that deploy by git.

200 more technical questions, about a dozen kinds of software, were asked of the same docs and of Docent's own. The more
programs docs name, the more of these questions they seem to answer. A few they do answer: how a proxy caches, where docs
show how one is set up.

| of 200 | dokku | celery | jellyfin | five pages | Docent |
| --- | --- | --- | --- | --- | --- |
| relevant enough for an answer | 50 | 45 | 44 | 6 | 41 |

Sixty more questions in such words were asked of the docs of ntfy, syncthing and caddy, which nobody had used before, and the
answers read beside the pages. Graded from 0 to 2 they reach 1.22 on average: 1.38 where the section that answers was
found among the first five, and 1.75 where it was found first. 13 of 44 quotes stood beside the question: a word of it had
another meaning there, or the answer was said in quite other words. How mail is sent was answered by how it is received.`;

/** What people saw who read answers beside the pages: no script can measure it. */
const READ_BY_HAND = `## Read beside the page

On 23 November 2026, quoted answers were read beside the pages and graded: 2 if the question is answered, 1 if it is
answered in part or not by the first quote, 0 if it is not. A seed drew 60 questions, 20 of each dataset; when quoting
had changed after that, another seed drew 60 more.

| dataset | first draw: its page among the passages | mean of those | second draw | mean of those |
| --- | --- | --- | --- | --- |
| awsdocs | 16 | 1.69 | 19 | 1.53 |
| ray | 13 | 1.23 | 9 | .78 |
| sphinxfaq | 10 | 1.00 | 9 | 1.33 |
| all | 39 | 1.36 | 37 | 1.30 |

The aim is 1.5. These are the ten worst of the second draw:

| question | what was quoted first | what answers |
| --- | --- | --- |
| What are the three states of Application Load Balancers? | that there are three types of load balancers | a list further down a page that was found by its beginning |
| Does AMI supports tags? | a rule that checks images for tags | a table of what can have tags |
| local rllib results path | how to load a checkpoint | a sentence on the folder of results |
| How do I use Ray Data to read from a Python list of strings | how to read lines of text files | a function for items in memory |
| How to manually start a ray serve instance for a head node on remote server | how workers join a cluster | the command for a remote cluster |
| Give step by step instructions to deploy a model inference service using Ray serve. … | two sentences on watching it | the steps, from three sections |
| how to give package version in ray run time | an error in a guide for a missing package | the field of a runtime environment |
| How do I use engines / connections / sessions with Python multiprocessing, or os.fork()? | how Python forks | four ways, in a list of the second passage |
| Can I schedule tasks to execute at a specific time? | that schedules are like those of cron | what schedules tasks, which was quoted third |
| What is the recommended way to deploy a Scrapy crawler in production? | that it is a question of production | the names of two services, two sentences on |

Nearly all are of two kinds: the page says it in other words than the question, or says it in another passage than those
that were found. More passages of the pages that were found do not help: quotes were chosen from all of them, and held
no more of the answers that are known.`;

/** The page; `machine` holds rows of a table. */
export function answersPage(sections: readonly string[], machine: string, models: AnswerModels): string {
  return `---
title: Answer quality
description: What Docent's answers say and cite, measured without a judge - right page cited, citations that hold, refusals if the page is missing.
nav_order: 38
---

# Answer quality

\`make eval\` asks the questions of the datasets in \`DOCENT_EVAL_DATA\`, and writes this page. Every question goes the
whole way of a reader's question: search, the gate, the responder, citations. It is asked twice: once normally, and
once with the pages that answer it removed from the results of the search. [Evaluation](evaluation.md) explains the
figures, and how to measure your own site. No model judges the answers: a page that answers just as well, but is not
the one that the dataset names, counts as wrong, so the figures for citations are lower bounds.

## The machine

| | |
| --- | --- |
${machine}

${IN_READERS_WORDS}

${READ_BY_HAND}

## What models show here, and what they cannot

${describeModels(models)}

${sections.join("\n\n")}
`;
}

function describeModels(models: AnswerModels): string {
  if ("missing" in models)
    return `No model was asked: ${models.missing}. The figures are those of the responder that quotes.`;
  return `${models.says}. Each is asked ${MODEL_SAMPLE} questions of a dataset, evenly spread over all of them, and may write ${MODEL_ANSWER_TOKENS} tokens.

These are the smallest models there are, and gemma3 is a base model: it was never taught to follow instructions. It
continues the text that it is given, so it repeats the prompt, the question or itself, and cites by accident. Neither
model can show whether answers are right, complete or well written, whether a model cites by itself when told to, or
whether it says that the docs do not have the answer. What they do show is true for every model: that each answer ends
properly, that every citation points to a retrieved passage, that an answer without citations is linked to the passages
whose words it uses, how much of what was written is supported by a passage, and what the gate refuses by itself. Their
rows do not show what a model of a usual size does with the same prompts.`;
}
