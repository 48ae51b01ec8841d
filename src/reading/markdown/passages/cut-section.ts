import { findCodeSpans } from "@docent/kernel/text/code-spans";
import { codeSpan } from "@docent/kernel/text/write-markdown";
import { directiveTitle } from "../callouts.ts";
import type { Block, Section } from "../md/md.ts";
import { cutBlock } from "./cut-block.ts";
import { withFoldsOpen } from "./folds.ts";
import type { PassageSizes } from "./passages.ts";
import { tokenWeight } from "./tokens.ts";

const SILENT: ReadonlySet<Block["kind"]> = new Set(["comment", "definition", "label", "rule"]);
const JOIN_WEIGHT = tokenWeight("\n\n");

/** A part of a block that goes into a passage. */
interface Unit {
  text: string;
  weight: number;
}

/** The Markdown under one heading in pieces, cut between blocks; empty where it has no words. */
export function cutSection(section: Section, sizes: PassageSizes): string[] {
  const units = section.blocks.flatMap((block) => unitsOf(block, sizes));
  const total = weightOf(units);
  if (total <= sizes.maxTokens) return units.length === 0 ? [] : [joined(units)];
  // Pieces of about the same size are better than full ones and a remainder.
  const even = total / Math.ceil(total / sizes.maxTokens);
  return joinRemainder(gather(units, even, sizes), sizes).map(joined);
}

const joined = (units: readonly Unit[]) => units.map(({ text }) => text).join("\n\n");
const weightOf = (units: readonly Unit[]) => units.reduce((sum, { weight }) => sum + weight + JOIN_WEIGHT, 0);
const weighed = (text: string): Unit => ({ text, weight: tokenWeight(text) });

/** The parts of a block that go into passages: none, itself, or several. */
function unitsOf(block: Block, sizes: PassageSizes): Unit[] {
  if (SILENT.has(block.kind)) return [];
  if (block.kind === "directive") return directiveTitle(block.text).map(weighed);
  const text =
    block.kind === "code" ? block.text : mathsAsCode(withFoldsOpen(dropComments(block.text))).trimEnd();
  if (text.trim() === "") return [];
  const weight = tokenWeight(text);
  const limit = block.kind === "code" ? sizes.hardMaxTokens : sizes.maxTokens;
  if (weight + JOIN_WEIGHT <= limit) return [{ text, weight }];
  // Equal shares with some slack: fences and headers are repeated, and an overflow would make an extra piece.
  const share = weight / Math.ceil(weight / (sizes.maxTokens * 0.9));
  const pieces = cutBlock({ ...block, text }, share * 1.06);
  return pieces.filter((piece) => piece.trim() !== "").map(weighed);
}

function gather(units: Unit[], even: number, sizes: PassageSizes): Unit[][] {
  const pieces: Unit[][] = [];
  let current: Unit[] = [];
  let weight = 0;
  for (const unit of units) {
    const more = unit.weight + JOIN_WEIGHT;
    // A few words before a large code block introduce it.
    const limit = weight < sizes.minTokens ? sizes.hardMaxTokens : sizes.maxTokens;
    const full = weight >= even && !announcesNext(current.at(-1));
    if (current.length > 0 && (full || weight + more > limit)) {
      pieces.push(current);
      current = [];
      weight = 0;
    }
    current.push(unit);
    weight += more;
  }
  if (current.length > 0) pieces.push(current);
  return pieces;
}

function announcesNext(unit: Unit | undefined): boolean {
  return unit !== undefined && /[:：]$/.test(unit.text.trimEnd());
}

function joinRemainder(pieces: Unit[][], sizes: PassageSizes): Unit[][] {
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (last === undefined || before === undefined) return pieces;
  const small = weightOf(last) < sizes.minTokens && weightOf(before) + weightOf(last) <= sizes.hardMaxTokens;
  return small ? [...pieces.slice(0, -2), [...before, ...last]] : pieces;
}

/** Drops HTML comments, which readers never see; those shown as code stay. */
function dropComments(markdown: string): string {
  if (!markdown.includes("<!--")) return markdown;
  const spans = findCodeSpans(markdown);
  const kept: string[] = [];
  let at = 0;
  for (const match of markdown.matchAll(/`+|<!--/g)) {
    if (match.index < at) continue;
    kept.push(markdown.slice(at, match.index));
    const isComment = match[0] === "<!--";
    const end = isComment ? commentEnd(markdown, match.index) : spans.endOf(match.index);
    at = end ?? match.index + match[0].length;
    if (!isComment || end === undefined) kept.push(markdown.slice(match.index, at));
    if (isComment && end === undefined) break;
  }
  kept.push(markdown.slice(at));
  return kept.join("");
}

const MATHS = /(?<![\w$\\`])\$(`{1,9})(?!`)([^`\n]{1,2000})\1\$(?![\w$])/g;

/** Answers are shown by programs that read dollars each in their own way: to all of them, code is code. */
const mathsAsCode = (markdown: string) =>
  markdown.includes("$`")
    ? markdown.replace(MATHS, (_, _fence: string, tex: string) => codeSpan(`$${tex.trim()}$`))
    : markdown;

function commentEnd(markdown: string, start: number): number | undefined {
  const end = markdown.indexOf("-->", start + 4);
  return end < 0 ? undefined : end + 3;
}
