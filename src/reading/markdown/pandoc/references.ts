import type { Attributes } from "./attributes.ts";

/** What a cross-reference leads to. */
export interface Reference {
  /** An anchor of the page, or the address of a place on another one. */
  href: string;
  /** What is there called, where it has a title. */
  words?: string | undefined;
}

/** What a page takes from the project that it is in. */
export interface PandocProject {
  /** The values of `_variables.yml`. */
  variables?: unknown;
  /** What the project and its folders say for all of their pages. */
  metadata?: Readonly<Record<string, unknown>>;
  /** A place on another page of the same book. */
  referenceOf?(label: string): Reference | undefined;
  /** How a source is named in the text: "Knuth 1984". */
  citationOf?(key: string): string | undefined;
}

/** How what has a number is called, by what its label begins with. */
const KINDS: Readonly<Record<string, string>> = {
  fig: "Figure",
  tbl: "Table",
  tab: "Table",
  lst: "Listing",
  eq: "Equation",
  thm: "Theorem",
  lem: "Lemma",
  cor: "Corollary",
  prp: "Proposition",
  cnj: "Conjecture",
  def: "Definition",
  exm: "Example",
  exr: "Exercise",
  sol: "Solution",
  rem: "Remark",
  alg: "Algorithm",
  nte: "Note",
  tip: "Tip",
  wrn: "Warning",
  imp: "Important",
  cau: "Caution",
};

/** What something with a number is called, by its label; undefined where it is no such label. */
export const kindOfLabel = (label: string): string | undefined => {
  const [, prefix = ""] = /^([a-z]+)[-:]./.exec(label.toLowerCase()) ?? [];
  return Object.hasOwn(KINDS, prefix) ? KINDS[prefix] : undefined;
};

/** The labels by which Quarto leads to a section or to what has a number. */
export const isCrossReference = (label: string) =>
  /^sec-./i.test(label) || (label.includes("-") && kindOfLabel(label) !== undefined);

/** The kinds of environments that have a name of their own. */
const ENVIRONMENTS: Readonly<Record<string, string>> = {
  theorem: "Theorem",
  lemma: "Lemma",
  corollary: "Corollary",
  proposition: "Proposition",
  conjecture: "Conjecture",
  definition: "Definition",
  example: "Example",
  exercise: "Exercise",
  hypothesis: "Hypothesis",
  proof: "Proof",
  remark: "Remark",
  solution: "Solution",
};

export const isEnvironment = (name: string) => Object.hasOwn(ENVIRONMENTS, name);

/** What a theorem and the like is called; undefined for any other block. */
export function environmentOf({ id, classes }: Attributes): string | undefined {
  const named = classes.find(isEnvironment);
  if (named !== undefined) return ENVIRONMENTS[named];
  const [, prefix = ""] = /^(thm|lem|cor|prp|cnj|def|exm|exr|sol|rem)-/.exec(id ?? "") ?? [];
  return prefix === "" ? undefined : KINDS[prefix];
}

const PREFIXES: Readonly<Record<string, string>> = {
  theorem: "thm",
  lemma: "lem",
  corollary: "cor",
  proposition: "prp",
  conjecture: "cnj",
  definition: "def",
  example: "exm",
  exercise: "exr",
  hypothesis: "hyp",
};

/** The id of a block. bookdown puts the kind of a theorem before its label. */
export function placeOf({ id, classes }: Attributes): string | undefined {
  const kind = classes.find((name) => Object.hasOwn(PREFIXES, name));
  return id === undefined || kind === undefined || /^[a-z]{2,4}[:-]/.test(id)
    ? id
    : `${PREFIXES[kind]}:${id}`;
}
