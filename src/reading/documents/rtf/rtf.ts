import type { DocumentBounds, ReadDocument, UnreadDocument } from "../document.ts";
import { CONTROLS } from "./controls.ts";
import { endFlow, newFlow } from "./flow.ts";
import { addWords, capture, endGroup, newReading, type Reading, type RtfContent } from "./reading.ts";
import { type RtfVisitor, walkRtf } from "./walk.ts";
import { writeBlocks } from "./write.ts";

export { encodingOfCodePage } from "./encodings.ts";

/** Where a file of RTF begins: some programs write a mark or line breaks before it. */
const BEGINNING = /^[\s\0\xef\xbb\xbf]{0,200}\{\\rtf/;

/** Reads text of word processors: headings, lists, tables, links and footnotes. Pictures and objects are left out. */
export async function readRtf(
  content: Uint8Array,
  bounds: DocumentBounds,
): Promise<ReadDocument | UnreadDocument> {
  const source = sourceOf(content);
  if (!BEGINNING.test(source)) return { unreadable: "is damaged: it does not begin as RTF does" };
  const read = readContent(source, bounds.charactersMax);
  if (read.markdown === "") return { unreadable: emptyReason(read) };
  const { title, author, description, date } = read.info;
  const data = Object.entries({ title, author, description, date }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return { data: Object.fromEntries(data), markdown: read.markdown, faults: faultsOf(read, bounds) };
}

const HTML_CHARACTERS_MAX = 20_000_000;

/** The HTML that is kept in the RTF of a mail; undefined where there is none. */
export const encapsulatedHtml = (content: Uint8Array) => htmlInRtf(sourceOf(content), HTML_CHARACTERS_MAX);

/** A character for each byte. */
const sourceOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1");

function emptyReason({ pictures, isCut }: RtfContent): string {
  if (isCut) return "is damaged: it ends before its text";
  return pictures > 0 ? `has no text: ${counted(pictures, "picture")}` : "has no text";
}

function faultsOf(
  { comments, objects, isLong, isCut }: RtfContent,
  { charactersMax }: DocumentBounds,
): string[] {
  return [
    ...(isLong
      ? [`has more than ${charactersMax.toLocaleString("en-US")} characters: the rest is not read`]
      : []),
    ...(isCut ? ["is cut off: its last groups never end"] : []),
    ...(comments > 0 ? [`has ${counted(comments, "comment")} that ${isOrAre(comments)} not read`] : []),
    ...(objects > 0 ? [`has ${counted(objects, "embedded object")} that ${isOrAre(objects)} not read`] : []),
  ];
}

const counted = (number: number, thing: string) =>
  `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
const isOrAre = (number: number) => (number === 1 ? "is" : "are");

/** Words that stand for characters of HTML. */
const CHARACTERS = new Map([
  ["par", "\n"],
  ["line", "\n"],
  ["lbr", "\n"],
]);

/**
 * The HTML that a mail of Outlook was written in, and that it keeps in its RTF; undefined where there is none. Tags lie in
 * groups of their own, and what is only for the RTF is marked.
 */
function htmlInRtf(source: string, charactersMax: number): string | undefined {
  if (!/\\fromhtml1?\b/.test(source.slice(0, 2_000))) return undefined;
  const parts: string[] = [];
  let characters = 0;
  let isForRtf = false;
  const outer: boolean[] = [];
  const put = (words: string) => {
    if (isForRtf) return;
    characters += words.length;
    parts.push(words);
  };
  walkRtf(source, {
    open: () => void outer.push(isForRtf),
    close() {
      isForRtf = outer.pop() ?? false;
    },
    text: (words) => put(words.replaceAll("\u00a0", "&nbsp;")),
    isDone: () => characters > charactersMax,
    word(name, value, isOptional) {
      if (name === "htmlrtf") isForRtf = value !== 0;
      else if (name !== "htmltag" && isSkipped(name, isOptional)) return "skip";
      put(CHARACTERS.get(name) ?? "");
      return undefined;
    },
  });
  return parts.join("");
}

export type { RtfContent };

/** Reads the text of a file of RTF, given with a character for each byte. */
function readContent(source: string, charactersMax: number): RtfContent {
  const flow = newFlow();
  const reading = newReading(flow, charactersMax);
  const closed = walkRtf(source, visitorOf(reading));
  // Groups that never end hold words all the same.
  while (reading.outer.length > 0) endGroup(reading);
  const { content, notes, styles } = reading;
  const text = writeBlocks(endFlow(flow), styles);
  const below = notes.map((note, index) => `[^${index + 1}]: ${note}`);
  const date = dateOf(reading.date);
  return {
    ...content,
    info: { ...content.info, ...(date === undefined ? {} : { date }) },
    markdown: [text, ...below].filter((part) => part !== "").join("\n\n"),
    isCut: !closed,
  };
}

function visitorOf(reading: Reading): RtfVisitor {
  return {
    open() {
      reading.outer.push(reading.frame);
      reading.frame = { ...reading.frame, atEnd: undefined };
      if (reading.frame.place === "styles") openStyle(reading);
    },
    close: () => endGroup(reading),
    text: (words) => addWords(reading, words),
    isDone: () => reading.content.isLong,
    word(name, value, isOptional) {
      const control = CONTROLS.get(name);
      if (control !== undefined) return control(reading, value) === "skip" ? "skip" : undefined;
      if (name === "annotation") reading.content.comments += 1;
      if (name === "pict") reading.content.pictures += 1;
      return isSkipped(name, isOptional) ? "skip" : undefined;
    },
  };
}

function openStyle(reading: Reading): void {
  reading.style = { number: 0, outlineLevel: undefined };
  capture(reading, (words) => {
    const { number, outlineLevel } = reading.style;
    const name = words.replace(/;[\s\S]*$/, "").trim();
    if (reading.styles.size < 20_000 && !reading.styles.has(number))
      reading.styles.set(number, { name, outlineLevel });
  });
  // Groups in the description of a style describe it further.
  reading.frame.place = "text";
}

function dateOf({ year, month, day }: Reading["date"]): string | undefined {
  if (year === undefined || year < 1900 || year > 2200) return undefined;
  const two = (number: number | undefined) => String(Math.min(Math.max(1, number ?? 1), 31)).padStart(2, "0");
  return `${year}-${two(Math.min(month ?? 1, 12))}-${two(day)}`;
}

/** Groups whose words are none of the text: tables of the file, what stands on each page, what is for other programs. */
const SKIPPED = new Set(
  (
    "colortbl filetbl revtbl rsidtbl listtable listoverridetable generator xmlnstbl themedata colorschememapping datastore " +
    "latentstyles factoidname template private docvar userprops passwordhash protusertbl mailmerge pgptbl " +
    "header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn " +
    "pict nonshppict shprslt objdata objclass objname objalias objsect sp shpinstprops datafield formfield blipuid picprop " +
    "bkmkstart bkmkend xe tc tcn rxe txe pn pnseclvl pnlvlblt operator comment doccomm keywords manager company category " +
    "hlinkbase annotation atnid atnauthor atntime atnref atnicn atnparent atrfstart atrfend atndate " +
    "oldcprops oldpprops oldsprops oldtprops ctrlPr mmathPr panose falt fontemb fontfile liststylename listname listpicture " +
    "ud htmltag mhtmltag buptim printim revtim xmlopen xmlclose xmlattrname xmlattrvalue wgrffmtfilter background"
  ).split(" "),
);

/** Groups that readers may skip, and whose words are of the text all the same. */
const READ_ALL_THE_SAME = new Set(
  "shppict shpinst shpgrp do fldinst nesttableprops moMath moMathPara flymaincnt cs ts ds listtext pntext shptxt".split(
    " ",
  ),
);

/** Whether a word begins a group of which nothing is read. */
function isSkipped(name: string, isOptional: boolean): boolean {
  if (SKIPPED.has(name) || (name.startsWith("m") && /^m[a-zA-Z]+Pr$/.test(name))) return true;
  return isOptional && !READ_ALL_THE_SAME.has(name);
}
