import { safeLink } from "@docent/kernel/text/safe-url";
import { codeSpan, escapeDestination, escapeInline, escapeLabel } from "@docent/kernel/text/write-markdown";
import { decodeEntities } from "../html-text.ts";

/** Finds where a link leads from the page that has it: to a page, to a section of one, or ("" as the name) of its own. */
export type PodLink = (name: string, section: string) => string | undefined;

/** A formatting code with what is in it: `B<text>`. */
interface Code {
  letter: string;
  /** What ends it: `>`, or as many as it began with, behind a space. */
  closing: string;
  inside: (string | Code)[];
}

/** Words that are set in one way. */
interface Piece {
  text: string;
  set: "plain" | "strong" | "emphasis" | "code";
  href?: string | undefined;
}

const MARK = /[A-Z]<{2,} |[A-Z]<| >{2,}|>/g;
const DEEP_MAX = 30;

function readCodes(source: string): Code {
  const whole: Code = { letter: "", closing: "", inside: [] };
  const open = [whole];
  const add = (words: string) => words !== "" && open.at(-1)?.inside.push(words);
  let at = 0;
  // A long run of spaces would be looked through from each of them.
  const text = source.replace(/\s+/g, " ");
  const marks = new RegExp(MARK);
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const [mark] = found;
    const { index } = found;
    const top = open.at(-1);
    if (/^[A-Z]/.test(mark)) {
      if (open.length > DEEP_MAX) continue;
      add(text.slice(at, index));
      const code = { letter: mark.charAt(0), closing: ">".repeat(mark.trimEnd().length - 1), inside: [] };
      top?.inside.push(code);
      open.push(code);
      at = index + mark.length;
    } else if (top !== undefined && top.closing !== "") {
      // Of `C<$x->{y}>` the first mark ends it, and of `C<< $x->{y} >>` the first that is as long. What is longer ends more.
      const isShort = top.closing.length === 1;
      if (!isShort && !mark.startsWith(` ${top.closing}`)) continue;
      const end = index + mark.indexOf(">");
      add(text.slice(at, isShort ? end : index));
      open.pop();
      at = end + top.closing.length;
      marks.lastIndex = at;
    }
  }
  add(text.slice(at));
  return whole;
}

/** The plain words of a text with formatting codes. */
export const plainWords = (text: string) => wordsOf(piecesOf(readCodes(text), "plain", () => undefined));

const wordsOf = (pieces: readonly Piece[]) =>
  pieces
    .map((piece) => piece.text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** Writes a paragraph as one line of Markdown. */
export function writeInline(text: string, link: PodLink): string {
  const pieces = merged(piecesOf(readCodes(text.trim()), "plain", link));
  return pieces
    .map((piece, index) => {
      const before = pieces[index - 1]?.text.at(-1) ?? "";
      return writePiece(piece, before, pieces[index + 1]?.text.charAt(0) ?? "");
    })
    .join("")
    .trim();
}

function piecesOf(code: Code, set: Piece["set"], link: PodLink): Piece[] {
  return code.inside.flatMap((part): Piece[] => {
    if (typeof part === "string") return [{ text: part, set }];
    switch (part.letter) {
      case "B":
        return piecesOf(part, set === "code" ? set : "strong", link);
      case "I":
        return piecesOf(part, set === "plain" ? "emphasis" : set, link);
      case "C":
      case "F":
        return piecesOf(part, "code", link);
      case "E":
        return [{ text: characterOf(wordsOf(piecesOf(part, "plain", link))), set }];
      case "L":
        return linkOf(part, set, link);
      case "X":
      case "Z":
        return [];
      default:
        return piecesOf(part, set, link);
    }
  });
}

const NAMED: Readonly<Record<string, string>> = { verbar: "|", sol: "/", lchevron: "«", rchevron: "»" };

/** `E<gt>`, `E<eacute>`, `E<233>`, `E<0xE9>`, `E<0351>`. */
function characterOf(name: string): string {
  const known = NAMED[name];
  if (known !== undefined) return known;
  if (!/^(?:0x[\da-f]{1,6}|\d{1,8})$/i.test(name)) return decodeEntities(`&${name};`);
  const code = /^0\d/.test(name) ? Number.parseInt(name, 8) : Number(name);
  return decodeEntities(`&#${code};`);
}

const ADDRESS = /^[a-z][a-z\d+.-]{1,20}:[^:\s]\S*$/i;

/** `L<words|name/"section">`, with any part of it left out, or an address in the place of a name. */
function linkOf(code: Code, set: Piece["set"], link: PodLink): Piece[] {
  const at = code.inside.findIndex((part) => typeof part === "string" && part.includes("|"));
  const bar = code.inside[at];
  const cut = typeof bar === "string" ? bar.indexOf("|") : -1;
  const inside = typeof bar === "string" ? [bar.slice(cut + 1), ...code.inside.slice(at + 1)] : code.inside;
  const target = wordsOf(piecesOf({ ...code, inside }, "plain", () => undefined));
  const label =
    typeof bar === "string"
      ? piecesOf({ ...code, inside: [...code.inside.slice(0, at), bar.slice(0, cut)] }, set, () => undefined)
      : undefined;
  const { words, isName, href } = ADDRESS.test(target)
    ? { words: target, isName: false, href: safeLink(target) }
    : placeOf(target, link);
  const shown = label ?? [{ text: words, set: isName ? ("code" as const) : set }];
  if (href === undefined) return shown;
  const isCode = shown.every((piece) => piece.set === "code");
  return [{ text: wordsOf(shown), set: isCode ? "code" : "plain", href }];
}

function placeOf(
  target: string,
  link: PodLink,
): { words: string; isName: boolean; href: string | undefined } {
  const slash = target.indexOf("/");
  const isSection = slash < 0 && /^"|\s/.test(target);
  const name = isSection ? "" : (slash < 0 ? target : target.slice(0, slash)).trim();
  const section = (isSection ? target : slash < 0 ? "" : target.slice(slash + 1))
    .replace(/^"|"$/g, "")
    .trim();
  const href = link(name, section);
  if (section === "") return { words: name, isName: true, href };
  return { words: name === "" ? `“${section}”` : `“${section}” in ${name}`, isName: false, href };
}

/** Pieces beside each other that are set alike as one. */
function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.set === piece.set && last.href === piece.href) last.text += piece.text;
    else if (piece.text !== "") all.push({ ...piece });
  }
  return all;
}

const WORD = /[\p{L}\p{N}]/u;

function writePiece({ text, set, href }: Piece, before: string, after: string): string {
  const words = text.trim();
  if (words === "") return text === "" ? "" : " ";
  const [, space = "", rest = ""] = /^(\s*)(?:|[\s\S]+?(?<!\s))(\s*)$/.exec(text) ?? [];
  const marked = () => {
    if (set === "code") return codeSpan(words);
    const plain = escapeInline(words, space === "" ? before : " ");
    const isOpen = space !== "" || !WORD.test(before) || WORD.test(words.charAt(0));
    const isEnd = rest !== "" || !WORD.test(after) || WORD.test(words.at(-1) ?? "");
    // Stars between a word and a mark would be stars.
    if (set === "plain" || !isOpen || !isEnd) return plain;
    const mark = set === "strong" ? "**" : "*";
    return `${mark}${escapeInline(words, mark)}${mark}`;
  };
  const label = () => (set === "code" ? codeSpan(words) : escapeLabel(words));
  const written = href === undefined ? marked() : `[${label()}](${escapeDestination(href)})`;
  return `${space === "" ? "" : " "}${written}${rest === "" ? "" : " "}`;
}
