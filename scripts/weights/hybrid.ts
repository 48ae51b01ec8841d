import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { EvalQuestion } from "../../src/measuring/eval/question.ts";
import { canonicalPath } from "../../src/measuring/eval/question.ts";
import { type Scores, scoreIds } from "../../src/measuring/eval/scores.ts";
import type { Parts } from "../../src/running/app/parts.ts";
import { obtainPythonEngines } from "../bench/retrieval/python-engines.ts";
import { NotHere, runBounded } from "../bounded.ts";

// LanceDB's hybrid search over Docent's own passages: what a team would build from BM25 and the vectors of a common small
// model, joined by reciprocal rank.

/** More passages take more than half an hour to embed. */
const PASSAGES_MAX = 10_000;
const INSTALL_MS_MAX = 300_000;
const RANK_MS_MAX = 3_600_000;
const LOADED_AT_ONCE = 500;
const REQUIREMENTS = join(import.meta.dir, "requirements-minilm.txt");

const rankedReply = z.array(z.array(z.string()));

interface HybridSet {
  parts: Parts;
  siteId: number;
  /** Where what was ranked once stays: it takes minutes. */
  cache: string;
}

/** The scores of every question; or why there are none. */
export async function scoreHybrid(
  questions: readonly EvalQuestion[],
  { parts, siteId, cache }: HybridSet,
): Promise<Scores[] | string> {
  // Its word search knows English endings, and its model English.
  if (questions.some(({ filter }) => filter.language !== undefined)) return "not in English alone";
  const { passages } = await parts.content.pages.countPages(siteId);
  if (passages > PASSAGES_MAX) return `more than ${PASSAGES_MAX.toLocaleString("en-US")} passages`;
  const given = {
    passages: await linesOf(passagesOf(parts, siteId)),
    questions: await linesOf(questions.map(({ text }) => text)),
  };
  try {
    const ranked = await rankedFor(given, cache);
    return questions.map(({ pages }, index) =>
      scoreIds([...new Set((ranked[index] ?? []).map(canonicalPath))], pages),
    );
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    return `not here (${error.message.split("\n")[0]})`;
  }
}

async function rankedFor(given: { passages: string; questions: string }, cache: string) {
  const program = await Bun.file(join(import.meta.dir, "hybrid.py")).text();
  const hash = new Bun.CryptoHasher("sha256").update(`${program}${given.passages}${given.questions}`);
  const folder = join(cache, ".hybrid", hash.digest("hex").slice(0, 16));
  const done = join(folder, "ranked.json");
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    await Bun.write(join(folder, "passages.jsonl"), given.passages);
    await Bun.write(join(folder, "questions.jsonl"), given.questions);
    const python = await obtainPythonEngines(Date.now() + INSTALL_MS_MAX, [REQUIREMENTS]);
    const command = [python, join(import.meta.dir, "hybrid.py"), folder];
    await runBounded(command, { untilMs: Date.now() + RANK_MS_MAX });
    renameSync(join(folder, "ranking.json"), done);
  }
  return rankedReply.parse(await Bun.file(done).json());
}

/** Every passage that a search of the site may find. */
async function* passagesOf({ storage }: Parts, siteId: number) {
  const { search } = storage.content;
  const { generation, embedder } = await search.state(siteId);
  if (embedder === undefined) return;
  const scope = { siteId, generation, audience: "everything" as const, filter: {} };
  const allowed = await search.pageIds(scope);
  for await (const rows of search.vectors(scope, { embedderId: embedder.id, isEnriched: false })) {
    const ids = rows.filter(({ pageId }) => allowed.has(pageId)).map(({ passageId }) => passageId);
    for (let at = 0; at < ids.length; at += LOADED_AT_ONCE) {
      for (const { path, title, headings, text } of await search.load(ids.slice(at, at + LOADED_AT_ONCE)))
        yield { path, title, headings: headings.join(" "), text };
    }
  }
}

async function linesOf(values: AsyncIterable<unknown> | Iterable<unknown>): Promise<string> {
  const lines: string[] = [];
  for await (const value of values) lines.push(`${JSON.stringify(value)}\n`);
  return lines.join("");
}
