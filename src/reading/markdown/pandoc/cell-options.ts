import { asRecord, asText } from "@docent/kernel/text/json";

/** A line that tells Quarto, knitr or nbdev how to show a cell, in a comment of its language: `#| echo: false`. */
const OPTION_LINE = /^[ \t]*(?:#|\/\/|--|%%?|!|\/\*)[ \t]?\|[ \t]?(|.+?(?<![ \t]))(?:[ \t]*\*\/)?[ \t]*$/;
const NAMED = /^([\w.-]+)[ \t]*(?::[ \t]*(.*))?$/;

/** Code without the lines at its top that say how it is shown, and what they say. */
export function withoutOptions(source: string): { options: Map<string, string>; code: string } {
  const lines = source.split("\n");
  const said: string[] = [];
  for (const line of lines) {
    const option = OPTION_LINE.exec(line)?.[1];
    if (option === undefined) break;
    said.push(option);
  }
  return { options: optionsIn(said), code: lines.slice(said.length).join("\n") };
}

function optionsIn(said: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (const line of said) {
    const [, name, value = ""] = NAMED.exec(line) ?? [];
    if (name !== undefined) options.set(name, value.trim());
    else if (/^\s*[\w.-]+\s*=/.test(line))
      for (const [key, each] of knitrOptions(line)) options.set(key, each);
  }
  if (!said.some((line) => /:\s/.test(line) || line.endsWith(":"))) return options;
  for (const [name, value] of Object.entries(asRecord(yamlIn(said.join("\n"))))) {
    const words = typeof value === "boolean" ? String(value) : asText(value);
    if (words !== undefined) options.set(name, words);
    else options.delete(name);
  }
  return options;
}

function yamlIn(text: string): unknown {
  try {
    return Bun.YAML.parse(text);
  } catch {
    return undefined;
  }
}

const KNITR = /([\w.-]{1,100})\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:[^,"'()]|\([^()]*\))*)/g;

/** The options in the head of a chunk: `echo=FALSE, fig.cap="A plot"`. What is computed stays as it is written. */
export const knitrOptions = (head: string): [string, string][] =>
  [...head.slice(0, HEAD_CHARACTERS_MAX).matchAll(KNITR)].map(([, name = "", value = ""]) => {
    const written = value.trim();
    const isText = /^["']/.test(written);
    if (isText) return [name, written.slice(1, -1).replace(/\\(["'\\])/g, "$1")];
    if (/^(?:F|FALSE)$/.test(written)) return [name, "false"];
    return [name, /^(?:T|TRUE)$/.test(written) ? "true" : COMPUTED + written];
  });

const HEAD_CHARACTERS_MAX = 5_000;
/** What stands before a value that only R could tell. */
const COMPUTED = "=";
export const isComputedOption = (value: string) => value.startsWith(COMPUTED);
