import { trimmedLength } from "@docent/kernel/text/bare-url";
import {
  ADDRESS_START_CHARACTERS,
  ADDRESS_STARTS,
  addressAt,
  completesAddress,
  entityAt,
  isAddressCharacter,
  mailboxAt,
  mailHostAt,
  schemelessAt,
} from "./addresses.ts";
import { AFTER_INDEX_CHARACTERS, citedNumbers, isIndex } from "./cited-numbers.ts";
import { CITED_TAG_CHARACTERS_MAX, type CitedTag, citedTagAt } from "./cited-tags.ts";
import { marks, spanEnd } from "./code.ts";
import { beginsLine } from "./code-fence.ts";
import { IN_PARENTHESES_CHARACTERS_MAX, parenthesesAt } from "./in-parentheses.ts";
import {
  ahead,
  CLOSING_CHARACTERS_MAX,
  HELD_CHARACTERS_MAX,
  isUndecided,
  pass,
  replace,
  unwrap,
  type Writing,
} from "./writing.ts";

/** Characters that may begin something other than words; everything between them is passed on. */
const SPECIAL = /[`~[\]!\\<【〔［(&@:\t\n]|^\.|\/(?:\/|$)|(?<=www)\.|(?<![A-Za-z])[hfw]/i;
const AUTOLINK = /^<(https?:[^\s<>]*)>/i;
/** Tags that only change the look; without attributes they stay. */
const HARMLESS = /^<\/?(?:br|sub|sup|kbd)\s{0,2}\/?>/i;
const MAY_BE_ALLOWED =
  /^<(?:h(?:t(?:t(?:ps?(?::[^\s<>]*)?)?)?)?|\/?(?:br?|su[bp]?|s|k(?:bd?)?)?\s{0,2}\/?)$/i;
/** A "<" before one of these begins no tag. */
const NO_TAG = /^<[\s\d=-]/;
const WIDE_CITATION = /^[【〔［]([^【】〔〕［］\n]{1,80})[】〕］]/;
/** A link's words without another link in them, even where a bar ends a table's cell. */
const PLAIN_WORDS = /^(?:[^[\]<>`\\|]|(?<!`)`[^`\n[\]|]+`(?!`))+$/;
/** The content of a link's parentheses: an address, and perhaps a title. */
const TARGET = /^\s*(?:<([^<>\n]*)>|([^\s<]\S*)?)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const ENTITY_CHARACTERS_MAX = 34;
const ADDRESS_CHARACTERS_MIN = 5;
/** How many characters after a mailbox are read to decide whether it ends there. */
const AFTER_MAILBOX_CHARACTERS = 8;
const HOST_CHARACTERS_MAX = 60;
/** How many characters after parentheses tell whether a sentence ends there. */
const AFTER_PARENTHESES = 8;

/** Writes the next piece of prose; undefined when more has to come first. */
export function proseStep(writing: Writing): string | undefined {
  const { held, line, isCut } = writing;
  if (held === "") return undefined;
  // Whether removed text leaves a gap depends on what follows.
  if (isCut && /^[.,;!?)]*$/.test(held) && isUndecided(writing, CLOSING_CHARACTERS_MAX)) return undefined;
  if (line === "" && writing.table.wouldBegin(firstLine(held))) return tableLine(writing);
  const special = held.search(SPECIAL);
  if (special !== 0) return pass(writing, special === -1 ? held.length : special);
  return (STEPS[held[0] ?? ""] ?? address)(writing);
}

const STEPS: Record<string, (writing: Writing) => string | undefined> = {
  "`": marks,
  "~": marks,
  "\\": escaped,
  "<": angle,
  "【": wideBracket,
  "〔": wideBracket,
  "［": wideBracket,
  "(": parentheses,
  "!": exclamation,
  "[": (writing) => bracket(writing, 0),
  "]": closeBracket,
  "&": entity,
  "@": mail,
  ":": colon,
  "/": slashes,
  ".": dot,
  "\n": (writing) => pass(writing, 1),
  "\t": tab,
};

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

/**
 * Escapes a line of dashes and bars that would turn the line before it, which has code with a bar, into a
 * table's head.
 */
function tableLine(writing: Writing): string | undefined {
  const { held } = writing;
  const line = firstLine(held);
  if (line.length === held.length && isUndecided(writing, HELD_CHARACTERS_MAX)) return undefined;
  const at = line.search(/[-:|]/);
  if (at === -1 || !line.includes("|")) return pass(writing, Math.max(1, line.length));
  return replace(writing, at + 1, `${line.slice(0, at)}\\${line[at]}`);
}

/** Replaces a tab at the start of a line by spaces, so that clients cannot disagree on its width. */
function tab(writing: Writing): string {
  const { line } = writing;
  return /^ *$/.test(line) ? replace(writing, 1, " ".repeat(4 - (line.length % 4))) : pass(writing, 1);
}

function escaped(writing: Writing): string | undefined {
  const { held, line } = writing;
  if (isUndecided(writing, 2)) return undefined;
  const mark = held[1] ?? "";
  // A backslash that escapes nothing here would escape a backtick or bracket that we may put after it.
  if (!/[!-/:-@[-`{-~\n]/.test(mark)) return replace(writing, 1, "\\\\");
  if (mark === "@") return reread(writing, "@", 2);
  return completesAddress(line, mark) ? replace(writing, 2, `\`${mark}\``) : pass(writing, 2);
}

/** Replaces characters by text that is then read as if the model had written it. */
function reread(writing: Writing, text: string, length: number): string {
  writing.held = text + writing.held.slice(length);
  return "";
}

function exclamation(writing: Writing): string | undefined {
  if (isUndecided(writing, 2)) return undefined;
  return writing.held[1] === "[" ? bracket(writing, 1) : pass(writing, 1);
}

/**
 * Writes an entity. One that stands for a character of an address becomes code: clients decode entities
 * before they look for addresses.
 */
function entity(writing: Writing): string | undefined {
  const found = entityAt(writing.held.slice(0, ENTITY_CHARACTERS_MAX));
  if (found === "undecided") return writing.isEnding ? pass(writing, 1) : undefined;
  if (found === undefined) return pass(writing, 1);
  const { written, character } = found;
  return isAddressCharacter(character)
    ? replace(writing, written.length, `\`${character}\``)
    : pass(writing, written.length);
}

function bracket(writing: Writing, at: 0 | 1): string | undefined {
  const { text, whole } = ahead(writing);
  const close = closing(text, at, "[]", whole);
  const next = close === undefined ? undefined : text[close + 1];
  if (close === undefined || next === undefined)
    return whole ? plainBracket(writing, at, text.slice(at + 1, close ?? at + 1)) : undefined;
  const inside = text.slice(at + 1, close);
  if (next !== "(") return plainBracket(writing, at, inside);
  const end = closing(text, close + 1, "()", whole);
  if (end === undefined && !whole) return undefined;
  const target = end === undefined ? undefined : TARGET.exec(text.slice(close + 2, end));
  if (end === undefined || target == null) return plainBracket(writing, at, inside);
  const length = end + 1;
  return at === 1
    ? unwrap(writing, inside, length)
    : link(writing, inside, target[1] ?? target[2] ?? "", length);
}

/** Writes brackets that are not a link: a citation, or words. */
function plainBracket(writing: Writing, at: 0 | 1, inside: string): string | undefined {
  if (at === 1) return pass(writing, 1);
  const length = inside.length + 2;
  const numbers = numbersIn(writing, inside);
  if (numbers !== undefined && isUndecided(writing, length + AFTER_INDEX_CHARACTERS)) return undefined;
  if (numbers !== undefined && !isIndexHere(writing, inside)) return cite(writing, length, numbers);
  writing.bracket = beginsLine(writing.line) ? "first" : (writing.bracket ?? "within");
  return pass(writing, 1);
}

/** Replaces brackets by links to what they cite. */
function cite(writing: Writing, length: number, numbers: number[]): string {
  if (numbers.some((number) => writing.urls.has(number))) writing.habit ??= "brackets";
  return replace(writing, length, linksTo(writing, numbers));
}

/**
 * Writes parentheses: words, or a citation. A number alone is one where a sentence ends and the answer cites in no other way;
 * one without a passage goes only where the answer has cited so before.
 */
function parentheses(writing: Writing): string | undefined {
  const { held, line, isQuote, isEnding, isCut, habit, urls } = writing;
  if (isQuote || isCut) return pass(writing, 1);
  const found = parenthesesAt(
    held.slice(0, IN_PARENTHESES_CHARACTERS_MAX + AFTER_PARENTHESES),
    line,
    isEnding,
  );
  if (found === "undecided")
    return isUndecided(writing, IN_PARENTHESES_CHARACTERS_MAX + AFTER_PARENTHESES)
      ? undefined
      : pass(writing, 1);
  if (found === undefined) return pass(writing, 1);
  const { length, numbers, isSure } = found;
  if (isSure) return replace(writing, length, linksTo(writing, numbers));
  const isKnown = numbers.some((number) => urls.has(number));
  if (habit === "brackets" || (!isKnown && habit === undefined)) return pass(writing, 1);
  writing.habit = "parentheses";
  return replace(writing, length, linksTo(writing, numbers));
}

/** The numbers that brackets cite. Those of the docs' own text cite nothing. */
const numbersIn = ({ isQuote }: Writing, inside: string) => (isQuote ? undefined : citedNumbers(inside));

function isIndexHere({ held, line, isCut, indexes }: Writing, inside: string): boolean {
  const after = held.slice(inside.length + 2, inside.length + 2 + AFTER_INDEX_CHARACTERS);
  return !isCut && isIndex({ before: line, inside, after }, indexes);
}

/**
 * Keeps clients from seeing a link where we saw none, or a definition, which would turn words elsewhere into
 * links.
 */
function closeBracket(writing: Writing): string | undefined {
  if (isUndecided(writing, 2)) return undefined;
  return /^\][(:]/.test(writing.held) ? replace(writing, 1, "\\]") : pass(writing, 1);
}

function link(writing: Writing, words: string, target: string, length: number): string {
  const numbers = numbersIn(writing, words);
  if (numbers !== undefined) return replace(writing, length, linksTo(writing, numbers));
  const url = PLAIN_WORDS.test(words)
    ? (mailTarget(writing, target) ?? pageTarget(writing, target))
    : undefined;
  if (url === undefined) return unwrap(writing, words, length);
  return replace(writing, length, `${apart(writing)}[${words.replace(/\s+/g, " ")}](${url})`);
}

/** The target of a link to one of the docs' own mailboxes. */
function mailTarget({ mailboxes }: Writing, target: string): string | undefined {
  const mailbox = /^mailto:(.+)$/i.exec(target)?.[1]?.toLowerCase() ?? "";
  return mailboxes.has(mailbox) ? `mailto:${mailbox}` : undefined;
}

/** The target of a link to a passage's page, which is then cited unless the docs wrote the link. */
function pageTarget({ targetOf, cited, isQuote }: Writing, target: string): string | undefined {
  const page = targetOf(target, isQuote);
  if (page !== undefined && !isQuote) cited.add(page.number);
  return page?.url;
}

function angle(writing: Writing): string | undefined {
  const { held, line, isQuote } = writing;
  if (isUndecided(writing, 2)) return undefined;
  if (NO_TAG.test(held)) return pass(writing, 1);
  const cited = isQuote ? undefined : citedTagAt(held.slice(0, CITED_TAG_CHARACTERS_MAX));
  if (cited === "undecided" && isUndecided(writing, CITED_TAG_CHARACTERS_MAX)) return undefined;
  if (cited !== undefined && cited !== "undecided") return citedTag(writing, cited);
  const url = AUTOLINK.exec(held)?.[1];
  if (url !== undefined) return replace(writing, url.length + 2, show(writing, url));
  const harmless = HARMLESS.exec(held)?.[0];
  if (harmless !== undefined)
    return beginsLine(line) ? tagFirst(writing, harmless) : pass(writing, harmless.length);
  const undecided = isUndecided(writing, HELD_CHARACTERS_MAX) && MAY_BE_ALLOWED.test(held);
  return undecided ? undefined : replace(writing, 1, "\\<");
}

/** Replaces a tag by links to what it cites; words between such tags are shown as words. */
function citedTag(writing: Writing, { length, inside }: CitedTag): string {
  const numbers = inside === "" ? [] : citedNumbers(inside);
  return numbers === undefined
    ? replace(writing, 1, "\\<")
    : replace(writing, length, linksTo(writing, numbers));
}

/**
 * Writes a tag at the start of a line. Alone there it would begin an HTML block, in which escaped tags are
 * tags again: then it is dropped.
 */
function tagFirst(writing: Writing, tag: string): string | undefined {
  const behind = writing.held.slice(tag.length, HELD_CHARACTERS_MAX);
  if (/^[ \t]*$/.test(behind) && isUndecided(writing, HELD_CHARACTERS_MAX)) return undefined;
  // Only a word is certain to be written as it stands.
  return /^[ \t]*[\p{L}\p{N}]/u.test(behind) ? pass(writing, tag.length) : replace(writing, tag.length, "");
}

function wideBracket(writing: Writing): string | undefined {
  const { held, isEnding } = writing;
  const inside = WIDE_CITATION.exec(held)?.[1];
  const numbers = inside === undefined ? undefined : numbersIn(writing, inside);
  if (inside !== undefined && numbers !== undefined) return cite(writing, inside.length + 2, numbers);
  const undecided = inside === undefined && !isEnding && /^[【〔［][^【】〔〕［］\n]{0,80}$/.test(held);
  return undecided ? undefined : pass(writing, 1);
}

/** Writes a bare address as code, or as a link to a passage's page: clients would turn it into a link. */
function address(writing: Writing): string | undefined {
  const { held, line, isEnding, isCut } = writing;
  if (/[A-Za-z]$/.test(line) && !isCut) return pass(writing, 1);
  const written = addressAt(held.slice(0, HELD_CHARACTERS_MAX));
  if (written === undefined) {
    const begun = held.slice(0, ADDRESS_START_CHARACTERS).toLowerCase();
    return !isEnding && ADDRESS_STARTS.some((start) => start.startsWith(begun))
      ? undefined
      : pass(writing, 1);
  }
  if (written.length === held.length && !isEnding) return undefined;
  if (/^\w+:\/\/\[[0-9a-f:.%]*$/i.test(held) && isUndecided(writing, HOST_CHARACTERS_MAX)) return undefined;
  const length = trimmedLength(written);
  if (length < ADDRESS_CHARACTERS_MIN) return pass(writing, 1);
  return replace(writing, length, show(writing, written.slice(0, length)));
}

/**
 * Breaks up an address whose scheme was already written as the end of a word: some clients would find it
 * there.
 */
function colon(writing: Writing): string | undefined {
  const { held, line } = writing;
  if (!completesAddress(line, ":")) return pass(writing, 1);
  if (isUndecided(writing, 3) && "://".startsWith(held)) return undefined;
  return held.startsWith("://") ? replace(writing, 3, "`://`") : pass(writing, 1);
}

function dot(writing: Writing): string {
  return completesAddress(writing.line, ".") ? replace(writing, 1, "`.`") : pass(writing, 1);
}

/** Writes a protocol-relative address as code. */
function slashes(writing: Writing): string | undefined {
  const { held, line, isCut } = writing;
  if (/[:/]$/.test(line) && !isCut) return pass(writing, 1);
  if (isUndecided(writing, 2)) return undefined;
  const { written, isAddress } = schemelessAt(held.slice(0, HELD_CHARACTERS_MAX));
  if (written === "") return pass(writing, 1);
  if (isUndecided(writing, HELD_CHARACTERS_MAX) && /^\S*$/.test(held)) return undefined;
  const length = trimmedLength(written);
  return isAddress ? replace(writing, length, code(written.slice(0, length))) : pass(writing, 2);
}

/**
 * Writes the host of an e-mail address as code unless it is in the docs: clients would turn it into a link.
 * The mailbox's name was written already.
 */
function mail(writing: Writing): string | undefined {
  const { held, line, mailboxes } = writing;
  const host = mailHostAt(line, held.slice(0, HELD_CHARACTERS_MAX));
  if (host === undefined) return pass(writing, 1);
  if (isUndecided(writing, HELD_CHARACTERS_MAX) && /^@\S*$/.test(held)) return undefined;
  const { written, isHost } = host;
  const mailbox = mailboxAt(
    line,
    written,
    held.slice(written.length, written.length + AFTER_MAILBOX_CHARACTERS),
  );
  const isOwn = mailbox !== undefined && mailboxes.has(mailbox);
  return !isHost || isOwn ? pass(writing, written.length) : replace(writing, written.length, code(written));
}

function show(writing: Writing, written: string): string {
  const url = pageTarget(writing, written);
  return url === undefined ? code(written) : `<${url}>`;
}

const code = (text: string) => `\`${text.replaceAll("`", "%60").replaceAll("|", "%7C")}\``;

/**
 * Links to passages, as `[[2]](url)`. Whoever finds them again reads this form: `CITATION_LINK` in `citations.ts`,
 * `support/`, `unanswered/`, and the widget. Numbers are given in `write/write.ts`.
 */
export function linksTo(writing: Writing, numbers: number[]): string {
  const { urls, cited } = writing;
  const known = numbers.filter((number) => urls.has(number));
  for (const number of known) cited.add(number);
  return known
    .map((number, index) => `${index === 0 ? apart(writing) : ""}[[${number}]](${urls.get(number)})`)
    .join("");
}

/** A space where a link would become an image: after an exclamation mark. */
const apart = ({ line }: Writing) => (line.endsWith("!") ? " " : "");

/** Where the bracket that opens at `from` closes; undefined where it does not, or is still undecided. */
function closing(text: string, from: number, brackets: "[]" | "()", whole: boolean): number | undefined {
  const [open, close] = brackets;
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const character = text[index];
    if (character === "`") {
      const run = /^`+/.exec(text.slice(index))?.[0].length ?? 1;
      const end = spanEnd(text.slice(index), run, whole);
      if (end === undefined && !whole) return undefined;
      index += (end ?? run) - 1;
    } else if (character === "\\") index++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return index;
  }
  return undefined;
}
