import { readXml } from "../xml/xml.ts";

/** A right that a page or a space gives to some, or takes from them. */
export interface WrittenRight {
  isForSpace: boolean;
  isAllowed: boolean;
  levels: string[];
  /** Groups and users, by their whole names. */
  whom: string[];
}

interface AttachedFile {
  name: string;
  sizeBytes: number;
}

/** A page of XWiki as its XML has it, without what is attached to it. */
export interface PageFile {
  /** The names of the spaces that it is in, the outermost first. */
  spaces: string[];
  name: string;
  /** The language of a translation; "" for the page itself. */
  language: string;
  defaultLanguage: string;
  title: string;
  syntax: string;
  isHidden: boolean;
  content: string;
  files: AttachedFile[];
  tags: string[];
  /** The classes of the objects on it, and that it defines one itself. */
  classes: Set<string>;
  definesClass: boolean;
  rights: WrittenRight[];
}

const FILES_MAX = 10_000;
const OBJECTS_MAX = 10_000;
const TAGS_MAX = 50;

/** Whether a file begins as the XML of a page does. */
export const isPageFile = (text: string) => /<xwikidoc[\s>]/.test(text.slice(0, LOOKED_AT_CHARACTERS));
const LOOKED_AT_CHARACTERS = 5_000;

/** Reads a page; undefined where its XML is damaged: who may read it may stand at its end. */
export async function readPageFile(text: string): Promise<PageFile | undefined> {
  const reading = createReading();
  const fault = await readXml(text, reading);
  const { page, web, reference } = reading;
  if (fault !== undefined) return undefined;
  const spaces = splitReference(reference) ?? splitReference(web);
  if (spaces === undefined) return undefined;
  if (reference !== "") page.name = spaces.pop() ?? page.name;
  page.spaces = spaces;
  return page.name === "" || spaces.length === 0 ? undefined : page;
}

/** The parts of a reference: dots stand between them, and with a backslash in front are part of a name. */
export function splitReference(reference: string): string[] | undefined {
  if (reference === "") return undefined;
  const parts = [""];
  for (let at = 0; at < reference.length; at++) {
    const sign = reference.charAt(at);
    if (sign === ".") parts.push("");
    else {
      if (sign === "\\") at += 1;
      parts[parts.length - 1] += reference.charAt(at);
    }
  }
  return parts.some((part) => part !== "") ? parts.filter((part) => part !== "") : undefined;
}

const emptyPage = (): PageFile => ({
  spaces: [],
  name: "",
  language: "",
  defaultLanguage: "",
  title: "",
  syntax: "",
  isHidden: false,
  content: "",
  files: [],
  tags: [],
  classes: new Set(),
  definesClass: false,
  rights: [],
});

interface WrittenObject {
  kind: string;
  values: Map<string, string[]>;
}

function createReading() {
  const page = emptyPage();
  const path: string[] = [];
  let words: string[] = [];
  let object: WrittenObject = { kind: "", values: new Map() };
  let file: AttachedFile = { name: "", sizeBytes: 0 };
  const state = {
    page,
    web: "",
    reference: "",
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (path.length === 0) state.reference = attributes["reference"] ?? "";
      path.push(name);
      words = [];
      if (path.length !== 2) return;
      if (name === "attachment") file = { name: "", sizeBytes: 0 };
      if (name === "object") object = { kind: "", values: new Map() };
    },
    close(name: string) {
      const place = path.slice(1).join("/");
      const said = words.join("");
      words = [];
      path.pop();
      if (place === "web") state.web = said.trim();
      else if (takePlain(page, place, said)) return;
      else if (place === "attachment/filename") file.name = said.trim();
      else if (place === "attachment/filesize") file.sizeBytes = Number(said) || 0;
      else if (place === "attachment" && file.name !== "" && page.files.length < FILES_MAX)
        page.files.push(file);
      else if (place === "class/name" || /^class\/[^/]+\/name$/.test(place))
        page.definesClass ||= place !== "class/name";
      else if (place === "object/className") object.kind = said.trim();
      else if (/^object\/property\/[^/]+(?:\/value)?$/.test(place))
        addValue(object, name === "value" ? (path.at(-1) ?? "") : name, said);
      else if (place === "object") takeObject(page, object);
    },
    words(text: string) {
      // What is attached is taken when it is asked for: it is most of the file.
      if (path.length === 3 && path[1] === "attachment" && path[2] === "content") return;
      words.push(text);
    },
  };
  return state;
}

function takePlain(page: PageFile, place: string, said: string): boolean {
  if (place === "name") page.name = said.trim();
  else if (place === "language") page.language = said.trim();
  else if (place === "defaultLanguage") page.defaultLanguage = said.trim();
  else if (place === "title") page.title = said.trim();
  else if (place === "syntaxId") page.syntax = said.trim();
  else if (place === "hidden") page.isHidden = said.trim() === "true";
  else if (place === "content") page.content = said;
  else return false;
  return true;
}

function addValue({ values }: WrittenObject, name: string, said: string): void {
  const known = values.get(name) ?? [];
  if (values.size < OBJECTS_MAX && said.trim() !== "") values.set(name, [...known, said.trim()]);
}

function takeObject(page: PageFile, { kind, values }: WrittenObject): void {
  page.classes.add(kind);
  const of = (name: string) =>
    (values.get(name) ?? []).flatMap((value) => value.split(/[,|]/)).map((value) => value.trim());
  if (kind === "XWiki.TagClass")
    page.tags = [...new Set(of("tags"))].filter((tag) => tag !== "").slice(0, TAGS_MAX);
  if (
    (kind === "XWiki.XWikiRights" || kind === "XWiki.XWikiGlobalRights") &&
    page.rights.length < OBJECTS_MAX
  )
    page.rights.push({
      isForSpace: kind === "XWiki.XWikiGlobalRights",
      isAllowed: of("allow")[0] !== "0",
      levels: of("levels"),
      whom: [...of("groups"), ...of("users")].filter((name) => name !== ""),
    });
}

/** What is attached to a page, which its XML holds in base64; undefined where it does not. */
export async function readAttached(text: string, wanted: string): Promise<Uint8Array | undefined> {
  const path: string[] = [];
  let words: string[] = [];
  let name = "";
  let content: string[] = [];
  let found: string[] | undefined;
  await readXml(text, {
    open(tag) {
      path.push(tag);
      words = [];
    },
    close() {
      const place = path.slice(1).join("/");
      if (place === "attachment/filename") name = words.join("").trim();
      if (place === "attachment/content") content = words;
      if (place === "attachment" && name === wanted) found ??= content;
      words = [];
      path.pop();
    },
    words: (said) => void words.push(said),
  });
  return found === undefined ? undefined : Buffer.from(found.join(""), "base64");
}
