import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { OutlineEntry } from "./headings.ts";

/** What a document says of itself. */
export interface DocumentFacts {
  data: Record<string, string>;
  faults: string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const NO_WORDS = /[\u0000-\u001F\u007F\uFEFF\s]+/g;
const VALUE_CHARACTERS_MAX = 1_000;
/** Names that programs give, and nobody else. */
const NO_TITLE =
  /^(?:untitled|unbenannt|sans titre|sin título|без имени|microsoft (?:word|powerpoint|excel)\b.*|powerpoint[- ]pr[äe]sentation|powerpoint presentation|presentation\d*|document\d*|dokument\d*|layout \d+|slide \d+|title|doc\d*|print(?:ing)?|.{0,200}\.(?:docx?|pptx?|xlsx?|odt|odp|ods|rtf|tex|dvi|indd|qxd|pdf|ps|html?|txt|fm|p65|pmd|md|eps|ai|cdr)|(?:https?|file):\/\/.*|[\d\s._-]+)$/i;

/** Reads a document's metadata, and what it has beside its pages. */
export async function factsOf(pdf: PDFDocumentProxy): Promise<DocumentFacts> {
  const found = await pdf.getMetadata().catch(() => undefined);
  const info: unknown = found?.info;
  const metadata: unknown = found?.metadata;
  const get = (key: string): unknown => Reflect.get(Object(info), key);
  const data: Record<string, string> = {};
  const title = clean(get("Title")) ?? clean(fromXmp(metadata, "dc:title"));
  if (title !== undefined && !NO_TITLE.test(title) && /\p{L}/u.test(title)) data["title"] = title;
  const subject = clean(get("Subject")) ?? clean(fromXmp(metadata, "dc:description"));
  if (subject !== undefined && subject !== title) data["description"] = subject;
  const author = clean(get("Author")) ?? clean(fromXmp(metadata, "dc:creator"));
  if (author !== undefined && !/^(?:unknown|user|admin(?:istrator)?|root|owner)$/i.test(author))
    data["author"] = author;
  const language = languageOf(clean(get("Language")) ?? clean(fromXmp(metadata, "dc:language")));
  if (language !== undefined) data["language"] = language;
  const date = dateOf(get("ModDate")) ?? dateOf(get("CreationDate"));
  if (date !== undefined) data["date"] = date;
  return { data, faults: [...xfaFault(get("IsXFAPresent")), ...(await attachmentFault(pdf))] };
}

function clean(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.filter((each) => typeof each === "string").join(", ") : value;
  if (typeof text !== "string") return undefined;
  const words = text.replace(NO_WORDS, " ").trim().slice(0, VALUE_CHARACTERS_MAX);
  return words === "" || words.includes("\uFFFD") ? undefined : words;
}

function fromXmp(metadata: unknown, name: string): unknown {
  const get: unknown = Reflect.get(Object(metadata), "get");
  return typeof get === "function" ? Reflect.apply(get, metadata, [name]) : undefined;
}

function languageOf(tag: string | undefined): string | undefined {
  const plain = tag?.replaceAll("_", "-");
  return plain !== undefined && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/i.test(plain) ? plain : undefined;
}

/** The day of `D:20240131120000+01'00'`. */
function dateOf(value: unknown): string | undefined {
  const [, year, month = "01", day = "01"] =
    /^(?:D:)?\s*(\d{4})(\d\d)?(\d\d)?/.exec(String(value ?? "")) ?? [];
  if (year === undefined || Number(year) < 1980 || Number(month) > 12 || Number(day) > 31) return undefined;
  return Number(month) === 0 || Number(day) === 0 ? undefined : `${year}-${month}-${day}`;
}

const xfaFault = (isXfa: unknown) =>
  isXfa === true ? ["is a form in XFA: only what it shows to programs that don't know this is read"] : [];

const NAMES_MAX = 5;

async function attachmentFault(pdf: PDFDocumentProxy): Promise<string[]> {
  const attachments = await pdf.getAttachments().catch(() => null);
  const names = attachments === null ? [] : namesOf(attachments);
  if (names.length === 0) return [];
  const said = names.slice(0, NAMES_MAX).join(", ") + (names.length > NAMES_MAX ? ", …" : "");
  return [
    `carries ${names.length === 1 ? "an attachment that is" : `${names.length} attachments that are`} not read: ${said}`,
  ];
}

function namesOf(attachments: object): string[] {
  const entries = attachments instanceof Map ? [...attachments] : Object.entries(attachments);
  return entries.slice(0, 10_000).map(([key, value]: [unknown, unknown]) => {
    const name: unknown = Reflect.get(Object(value), "filename");
    return (clean(name) ?? clean(key) ?? "without a name").slice(0, 100);
  });
}

const OUTLINE_MAX = 10_000;
const OUTLINE_DEPTH_MAX = 12;

/** The document's own list of its parts. */
export async function outlineOf(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const outline: unknown = await pdf.getOutline().catch(() => null);
  const entries: OutlineEntry[] = [];
  const walk = (items: unknown, depth: number): void => {
    if (!Array.isArray(items) || depth > OUTLINE_DEPTH_MAX) return;
    for (const item of items) {
      if (entries.length >= OUTLINE_MAX) return;
      const title = clean(Reflect.get(Object(item), "title"));
      if (title !== undefined) entries.push({ title, depth });
      walk(Reflect.get(Object(item), "items"), depth + 1);
    }
  };
  walk(outline, 1);
  return entries;
}
