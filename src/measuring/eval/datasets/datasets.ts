import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { z } from "zod";
import { parseJsonLines } from "../json-lines.ts";
import { canonicalPath, type EvalQuestion, sectionId } from "../question.ts";
import { readSpans, type Spans } from "../spans-file.ts";

export { parseQuestions, readQuestionLines } from "./questions-file.ts";
export { readSetPassages, type SetPassages } from "./set-passages.ts";
export { readersOf } from "./set-sources.ts";

/** A text that becomes a page of its own. */
export interface Entry {
  id: string;
  title: string;
  text: string;
  language: string;
  /** The file below `docs/` that it comes from. */
  path: string | undefined;
  start: number | undefined;
  end: number | undefined;
}

/** Questions asked in one way. */
export interface Task {
  name: string;
  questions: EvalQuestion[];
}

/** Documentation with questions whose answers are known. */
export interface Dataset {
  name: string;
  folder: string;
  /** The folder of Markdown; undefined where the entries are the pages. */
  docs: string | undefined;
  /** The folders of `docs` with one language each; empty where there is one language. */
  languages: string[];
  entries: Entry[];
  tasks: Task[];
}

const QUERIES = "queries.jsonl";

/** Explains the format of a set to people who make one. */
export const DATASET_HINT =
  "A set is a folder with queries.jsonl (lines of {_id, text, subset?, lang?}), docs/ (Markdown) and qrels_pages.tsv " +
  "(question, page below docs/, grade; a header line), or corpus.jsonl (lines of {_id, title, text}) and qrels.tsv.";

const querySchema = z.object({
  _id: z.string().min(1),
  text: z.string().min(1),
  subset: z.string().default(""),
  lang: z.string().default(""),
  gold_url: z.string().default(""),
  answer: z.string().optional(),
});
type Query = z.infer<typeof querySchema>;

const entrySchema = z.object({
  _id: z.string().min(1),
  title: z.string().default(""),
  text: z.string(),
  lang: z.string().default(""),
  path: z.string().optional(),
  start: z.number().int().optional(),
  end: z.number().int().optional(),
});

/** The folder of a set: the path itself, one of that name in the cache, or the only one inside. */
export function findDataset(named: string, cache: string): string | undefined {
  for (const folder of [named, join(cache, named)]) {
    if (existsSync(join(folder, QUERIES))) return folder;
    const inside = listFolders(folder).filter((name) => existsSync(join(folder, name, QUERIES)));
    if (inside.length === 1) return join(folder, inside[0] ?? "");
  }
  return undefined;
}

/** Every set in the cache. */
export function listDatasets(cache: string): string[] {
  return listFolders(cache).filter((name) => !name.startsWith(".") && findDataset(name, cache) !== undefined);
}

/** Reads a set's folder. Raises `invalid_request` that says what is missing or which line cannot be read. */
export async function readDataset(named: string): Promise<Dataset> {
  const folder = existsSync(named) ? realpathSync(named) : named;
  const queries = parseJsonLines(await read(folder, QUERIES), querySchema, join(folder, QUERIES));
  if (queries.length === 0) throw missing(folder, `${QUERIES} has no question`);
  const entries = existsSync(join(folder, "corpus.jsonl")) ? await readEntries(folder) : [];
  const docs = existsSync(join(folder, "docs")) ? join(folder, "docs") : undefined;
  if (docs === undefined && entries.length === 0)
    throw missing(folder, "there is neither docs/ nor corpus.jsonl");
  const qrels = await readQrels(folder, docs === undefined ? "qrels.tsv" : "qrels_pages.tsv");
  const languages = docs === undefined ? [] : languagesOf(queries, docs);
  const spans = docs === undefined ? undefined : await spansOf(folder, docs);
  const questions = queries
    .map((query) => toQuestion(query, qrels, languages, spans))
    .filter((question) => question.pages.size > 0);
  if (questions.length === 0) throw missing(folder, "no question has a page that it should find");
  const tasks: Task[] = [{ name: "", questions }];
  if (languages.length > 0) tasks.push(...(await acrossLanguages(folder, questions, entries)));
  const name = basename(folder);
  return { name, folder, docs, languages, entries, tasks };
}

function toQuestion(
  { _id, text, subset, lang, gold_url, answer }: Query,
  qrels: Qrels,
  languages: string[],
  spans: Map<string, Spans> | undefined,
): EvalQuestion {
  const pages = canonicalGolds(qrels.get(_id));
  const [only = ""] = pages.keys();
  const anchor = decodePercent(URL.parse(gold_url)?.hash.slice(1) ?? "");
  const sections = pages.size === 1 && anchor !== "" ? [[sectionId(only, anchor), 1] as const] : [];
  return {
    id: _id,
    text,
    subset,
    filter: languages.includes(lang) ? { language: lang } : {},
    pages,
    sections: new Map(sections),
    spans: spans?.get(_id)?.placed,
    answers: answer === undefined ? (spans?.get(_id)?.texts ?? []) : [answer],
  };
}

/**
 * Extra tasks for a set of several languages: without the language filter, and for the English page where the
 * set names it.
 */
async function acrossLanguages(folder: string, questions: EvalQuestion[], entries: Entry[]): Promise<Task[]> {
  const anywhere = questions.map((question) => ({ ...question, filter: {} }));
  const tasks = [{ name: "all languages in one index, no filter", questions: anywhere }];
  if (!existsSync(join(folder, "qrels_to_en.tsv"))) return tasks;
  const english = await readQrels(folder, "qrels_to_en.tsv");
  const paths = new Map(entries.map(({ id, path }) => [id, path ?? id]));
  const foreign = questions.filter(({ filter }) => filter.language !== "en");
  const toEnglish = foreign.map((question) => {
    const golds = [...(english.get(question.id) ?? [])].map(
      ([id, grade]) => [paths.get(id) ?? id, grade] as const,
    );
    return { ...question, filter: { language: "en" }, pages: canonicalGolds(new Map(golds)) };
  });
  return [...tasks, { name: "the English page, for a question in another language", questions: toEnglish }];
}

function canonicalGolds(golds: ReadonlyMap<string, number> | undefined): Map<string, number> {
  return new Map([...(golds ?? [])].map(([path, grade]) => [canonicalPath(path), grade]));
}

function languagesOf(queries: Query[], docs: string): string[] {
  const asked = new Set(queries.map(({ lang }) => lang));
  return listFolders(docs).filter((name) => asked.has(name));
}

async function spansOf(folder: string, docs: string): Promise<Map<string, Spans> | undefined> {
  if (!existsSync(join(folder, "spans.jsonl"))) return undefined;
  return readSpans(await read(folder, "spans.jsonl"), join(folder, "spans.jsonl"), docs);
}

async function readEntries(folder: string): Promise<Entry[]> {
  const file = join(folder, "corpus.jsonl");
  const entries = parseJsonLines(await Bun.file(file).text(), entrySchema, file);
  return entries.map(({ _id: id, title, text, lang: language, path, start, end }) => ({
    id,
    title,
    text,
    language,
    path,
    start,
    end,
  }));
}

async function readQrels(folder: string, name: string): Promise<Qrels> {
  return parseQrels(await read(folder, name), join(folder, name));
}

async function read(folder: string, name: string): Promise<string> {
  const file = Bun.file(join(folder, name));
  if (!(await file.exists())) throw missing(folder, `${name} is missing`);
  return file.text();
}

function missing(folder: string, what: string): AppError {
  return new AppError("invalid_request", `${folder} is not a set of questions: ${what}.`, {
    hint: DATASET_HINT,
  });
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** What should be found for each question, with its grade. */
type Qrels = Map<string, Map<string, number>>;

/**
 * Reads judgements separated by tabs: question, what should be found, grade; the first line names the
 * columns.
 */
export function parseQrels(text: string, file: string): Qrels {
  const qrels: Qrels = new Map();
  for (const [index, line] of text.split("\n").entries()) {
    if (index === 0 || line.trim() === "") continue;
    const [question = "", found = "", graded = ""] = line.replace(/\r$/, "").split("\t");
    const grade = Number(graded);
    if (question === "" || found === "" || graded.trim() === "" || !Number.isFinite(grade)) {
      throw new AppError(
        "invalid_request",
        `${file} cannot be used: line ${index + 1} is not three columns.`,
        {
          hint: "Each line is a question's id, what it should find, and a grade such as 1, with tabs between them.",
        },
      );
    }
    if (grade <= 0) continue;
    const golds = qrels.get(question) ?? new Map<string, number>();
    qrels.set(question, golds.set(found, grade));
  }
  return qrels;
}

/** The data directory with a set's pages and their vectors: one for each place that a set is in, and each embedder. */
export function dataOfSet(cache: string, { name, folder }: Dataset, embedder: string): string {
  const fingerprint = new Bun.CryptoHasher("sha256").update(`${folder}\n${embedder}`).digest("hex");
  return join(cache, ".docent", `${name}-${fingerprint.slice(0, 8)}`);
}

/** The folder that a setting names; a leading ~ is the home directory. */
export function dataFolder(setting: string): string {
  return setting === "~" || setting.startsWith("~/") ? join(homedir(), setting.slice(2)) : resolve(setting);
}
