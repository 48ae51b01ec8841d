import { isRecord } from "@docent/kernel/text/json";
import { isComputed } from "../config/config.ts";

/** Moves pages as the configuration's `rewrites` say. */
interface Rewriting {
  rewrite: (page: string) => string;
  /** What has to be asked where they cannot be known. */
  question?: string;
}

const RULES_MAX = 10_000;

/** Reads rules such as `"packages/:pkg/src/:rest*": ":pkg/:rest*"`; the first that matches a page moves it. */
export function createRewriting(value: unknown): Rewriting {
  const asIs = (page: string) => page;
  if (value === undefined) return { rewrite: asIs };
  if (!isRecord(value) || isComputed(value) || "call" in value) {
    const source = isComputed(value) ? `: ${value.source}` : "";
    return {
      rewrite: asIs,
      question: `Where are pages moved to? \`rewrites\` of the configuration is code${source}`,
    };
  }
  const rules = Object.entries(value)
    .slice(0, RULES_MAX)
    .flatMap(([from, to]) => (typeof to === "string" ? (ruleOf(from, to) ?? []) : []));
  return { rewrite: (page) => firstOf(rules, page) ?? page };
}

type Rule = (page: string) => string | undefined;

function firstOf(rules: readonly Rule[], page: string): string | undefined {
  for (const rule of rules) {
    const moved = rule(page);
    if (moved !== undefined) return moved;
  }
  return undefined;
}

/** A part of a pattern: literal text, or something with a name and what stands before it. */
type Part = string | { name: string; prefix: string; pattern: string; modifier: string };

const TOKEN = /(\/|\.)?(?::(\w+)(?:\(((?:[^()\\]|\\.)+)\))?|\(((?:[^()\\]|\\.)+)\))([*+?])?|\\(.)|([\s\S])/g;

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  let unnamed = 0;
  for (const [, prefix = "", name, own, group, modifier = "", quoted, letter] of pattern.matchAll(TOKEN)) {
    if (name === undefined && group === undefined) parts.push(quoted ?? letter ?? "");
    else {
      const among = own ?? group ?? "[^/#?]+?";
      parts.push({ name: name ?? String(unnamed++), prefix, pattern: among, modifier });
    }
  }
  return parts;
}

function ruleOf(from: string, to: string): Rule | undefined {
  const parts = partsOf(from);
  let matching: RegExp;
  try {
    matching = from.startsWith("^") ? new RegExp(from) : new RegExp(`^${parts.map(sourceOf).join("")}$`);
  } catch {
    return undefined;
  }
  const names = parts.flatMap((part) => (typeof part === "string" ? [] : [part.name]));
  const target = partsOf(`/${to}`);
  return (page) => {
    const match = matching.exec(page);
    if (match === null) return undefined;
    const found = new Map(
      from.startsWith("^")
        ? match.slice(1).map((text, index) => [String(index), text])
        : names.map((name, index) => [name, match[index + 1]]),
    );
    const moved = target.map((part) =>
      typeof part === "string"
        ? part
        : found.get(part.name) === undefined
          ? ""
          : part.prefix + found.get(part.name),
    );
    return moved.join("").slice(1);
  };
}

function sourceOf(part: Part): string {
  if (typeof part === "string") return escapeRegExp(part);
  const { prefix, pattern, modifier } = part;
  const before = escapeRegExp(prefix);
  if (modifier === "*" || modifier === "+") {
    const several = `${before}(${pattern}(?:${before}${pattern})*)`;
    return modifier === "+" ? several : `(?:${several})?`;
  }
  return modifier === "?" ? `(?:${before}(${pattern}))?` : `${before}(${pattern})`;
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
