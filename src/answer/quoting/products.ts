import { analyze, analyzeQuestion } from "../../search/analyze.ts";
import type { NumberedPassage } from "../responder.ts";

/**
 * For each passage, whether it is of another product than the one that the question names: of a site that has the docs of
 * `server/` and `cli/`, or of `v1/` and `v2/`, where the question names one of the two.
 */
export function ofOtherProduct(
  passages: readonly Pick<NumberedPassage, "path">[],
  question: string,
): boolean[] {
  const folders = withoutCommon(passages.map(({ path = "" }) => path.split("/").slice(0, -1)));
  const asked = new Set(analyzeQuestion(question));
  const isNamed = (folder: string) => {
    const terms = analyze(folder.replace(/[_.-]+/g, " "));
    return terms.length > 0 && terms.every((term) => asked.has(term));
  };
  const named = new Set(folders.filter((folder) => folder !== undefined && isNamed(folder)));
  return folders.map((folder) => named.size === 1 && folder !== undefined && !named.has(folder));
}

/** The first folder of each path that is not the same for all; undefined where there is none. */
function withoutCommon(paths: readonly string[][]): (string | undefined)[] {
  const [first = []] = paths;
  const depth = first.findIndex((folder, index) => paths.some((path) => path[index] !== folder));
  return paths.map((path) => path[depth < 0 ? first.length : depth]);
}
