import { join } from "node:path";
import type { z } from "zod";
import { NotHere } from "../../bounded.ts";
import type { Program } from "../processes.ts";
import { type Indexed, readDocentPages } from "./docent-index.ts";
import { obtainPythonEngines, PYTHON_ENGINES } from "./python-engines.ts";
import { runEngine } from "./run-engine.ts";
import { type EngineName, type RetrievalSpec, vectorsReply } from "./spec.ts";
import type { Corpus } from "./write-corpus.ts";

/** How long reading the pages may take, and each engine. */
export interface SecondsMax {
  index: number;
  engine: number;
}

/** A corpus that Docent has read, for one engine after the other. */
export interface Prepared {
  indexed: Indexed;
  /** What the engine did, or why it did not. A profile of it goes into a folder, where one is given. */
  run<T>(
    engine: EngineName,
    work: RetrievalSpec["work"],
    schema: z.ZodType<T>,
    profile?: string,
  ): Promise<T | string>;
}

/** The Python that has the libraries, or why there is none. Looked for once, when it is first needed. */
export type FindPython = () => Promise<{ python: string } | { missing: string }>;

const PYTHON_MS_MAX = 300_000;

export function createFindPython(): FindPython {
  let found: ReturnType<FindPython> | undefined;
  const find = async () => {
    try {
      return { python: await obtainPythonEngines(Date.now() + PYTHON_MS_MAX) };
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      return { missing: `its Python library cannot be had here (${error.message.split("\n")[0]})` };
    }
  };
  return () => {
    found ??= find();
    return found;
  };
}

/** Lets Docent read the corpus. */
export async function prepare(
  program: Program,
  corpus: Corpus,
  questions: string[],
  secondsMax: SecondsMax,
  findPython: FindPython,
): Promise<Prepared> {
  const { pages, passages, vectors } = corpus;
  const data = join(pages, "..", "data");
  const given = { data, pages, passages, vectors, dimensions: 0, questions };
  const forIndex = { secondsMax: secondsMax.index };
  const indexed = await readDocentPages(program, given, forIndex);
  let dimensions = 0;
  /** Vectors are made for a library that needs some. */
  const embed = async () => {
    if (dimensions > 0) return;
    const reply = await runEngine({ ...given, engine: "docent", work: "vectors" }, vectorsReply, forIndex);
    dimensions = reply?.dimensions ?? 0;
  };
  return {
    indexed,
    async run(engine, work, schema, profile) {
      const options = { secondsMax: secondsMax.engine, python: "", profile };
      if (PYTHON_ENGINES.has(engine)) {
        const found = await findPython();
        if ("missing" in found) return found.missing;
        options.python = found.python;
      }
      if (engine === "lancedb") await embed();
      const reply = await runEngine({ ...given, dimensions, engine, work }, schema, options);
      return reply ?? `not done in ${secondsMax.engine} s`;
    },
  };
}
