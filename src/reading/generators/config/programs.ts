import { asList, asText, isRecord } from "@docent/kernel/text/json";
import type { Unknown } from "../docs-site.ts";
import { isComputed, knownIn } from "./values.ts";

const NAMES_MAX = 10;
const NAME_CHARACTERS_MAX = 60;

/** Asks whether programs that a configuration names change the pages. */
export function askOfPrograms(names: readonly string[]): Unknown[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_CHARACTERS_MAX));
  const others = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
  return [
    { question: `Are pages changed by ${shown.join(", ")}${others}? Programs are not run.`, guess: "no" },
  ];
}

/** Asks what a function of the site's own makes of headings, where there is one. */
export const askOfHeadingIds = (name: string, value: unknown): Unknown[] =>
  value === undefined || value === null
    ? []
    : [{ question: `How does ${name} make ids of headings? It is a program.`, guess: "as usual" }];

/** Asks for a folder of pages that a configuration names, and that is outside of the source. */
export const askOfFolder = (written: string, guess: string): Unknown => ({
  question: `Where are the pages? ${written.slice(0, NAME_CHARACTERS_MAX)} is outside of this source.`,
  guess,
});

/** Asks which addresses redirects with patterns mean. */
export function askOfPatterns(addresses: readonly string[]): Unknown[] {
  const [first] = addresses;
  if (first === undefined) return [];
  const others = addresses.length === 1 ? "" : `, and ${addresses.length - 1} more,`;
  const shown = first.slice(0, NAME_CHARACTERS_MAX);
  return [{ question: `Which addresses does the redirect ${shown}${others} mean?`, guess: "none" }];
}

/** What such plugins do for words, links and headings is done anyway, or they only change how a page looks. */
const HARMLESS =
  /math|katex|mermaid|npm2yarn|prism|shiki|highlight|expressive-?code|autolink|external-?links|slug$|gfm|smartypants/i;

/** The plugins for Markdown in a list, each `plugin` or `[plugin, options]`, which may change words. */
export function changingPlugins(list: unknown): string[] {
  return asList(knownIn(list)).flatMap((use) => {
    const name = nameOfPlugin(Array.isArray(use) ? use[0] : use);
    return HARMLESS.test(name) ? [] : [name];
  });
}

function nameOfPlugin(plugin: unknown): string {
  if (isComputed(plugin)) return plugin.source;
  if (!isRecord(plugin) || typeof plugin["call"] !== "string") return asText(plugin) ?? "a plugin";
  const [first] = asList(plugin["arguments"]);
  return plugin["call"] === "require" && typeof first === "string" ? first : plugin["call"];
}
