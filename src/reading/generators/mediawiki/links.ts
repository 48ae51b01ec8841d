import { unescaped } from "@docent/kernel/text/entities";
import { safeLink } from "@docent/kernel/text/safe-url";
import { encodePath } from "../../page/page-path.ts";
import { attributeOf, linkHtml } from "../wiki-writing/wiki-writing.ts";
import { anchorOf, CATEGORY, FILE, MEDIA, SPECIAL, type Title, type Titles } from "./titles.ts";

/** What links of a page need to know. */
export interface LinkContext {
  titles: Titles;
  title: Title;
  /** The path of the page that a title leads to, with the anchor that a redirect adds; undefined where there is none. */
  pathOf(title: Title): string | undefined;
  /** Where the image of a file lies in the source, from its root. */
  imageOf(name: string): string | undefined;
  /** The categories of the page, as they are found. */
  tags: Set<string>;
  /** Keeps a piece of HTML, and gives what stands for it. */
  keep(html: string): string;
  /** Marks for strong words and the like in a label. */
  marks(html: string): string;
}

const SIGNS = /\[\[|\]\]/g;
const OPEN_MAX = 50;

/** Writes what stands in double brackets, the innermost first. What is left open is words. */
export function writeLinks(context: LinkContext, text: string): string {
  if (!text.includes("[[")) return text;
  const open: string[][] = [];
  const top: string[] = [];
  const add = (words: string) => (open.at(-1) ?? top).push(words);
  let at = 0;
  SIGNS.lastIndex = 0;
  for (let found = SIGNS.exec(text); found !== null; found = SIGNS.exec(text)) {
    const [sign] = found;
    add(text.slice(at, found.index));
    at = found.index + sign.length;
    if (sign === "[[") {
      if (open.length >= OPEN_MAX) add(sign);
      else open.push([]);
      continue;
    }
    const inner = open.pop();
    if (inner === undefined) {
      add(sign);
      continue;
    }
    const trail = TRAIL.exec(text.slice(at, at + 100))?.[0] ?? "";
    const written = writeLink(context, inner.join(""), trail);
    add(written?.html ?? `[[${inner.join("")}]]`);
    if (written?.tookTrail === true) at += trail.length;
    SIGNS.lastIndex = at;
  }
  add(text.slice(at));
  for (let left = open.pop(); left !== undefined; left = open.pop()) add(`[[${left.join("")}`);
  return top.join("");
}

const TRAIL = /^[\p{Ll}\p{Lo}]+/u;
/** As long as a language without spaces is not the one of the words behind. */
const NO_TRAIL = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{2,12})?$/;

interface WrittenLink {
  html: string;
  tookTrail: boolean;
}

function writeLink(context: LinkContext, inner: string, behind: string): WrittenLink | undefined {
  const [written = "", ...labels] = inner.split("|");
  const target = unescaped(written.replace(/%([0-9a-f]{2})/gi, percent)).trim();
  if (target === "" || /[<>{}\n[\]]/.test(target)) return undefined;
  const isShown = target.startsWith(":");
  const title = titleAt(context, isShown ? target.slice(1) : target);
  const { namespace, name } = title;
  if (namespace === CATEGORY && !isShown) {
    if (name !== "") context.tags.add(name);
    return { html: "", tookTrail: false };
  }
  if (namespace === FILE && !isShown) return { html: fileHtml(context, name, labels), tookTrail: false };
  const label = labels.join("|").trim();
  const prefix = target.slice(0, Math.max(0, target.indexOf(":")));
  const path = namespace === MEDIA || namespace === SPECIAL ? undefined : context.pathOf(title);
  // The same page in another language.
  const isLanguage = !isShown && labels.length === 0 && LANGUAGE.test(prefix) && path === undefined;
  if (isLanguage && title.namespace === 0) return { html: "", tookTrail: false };
  const trail = NO_TRAIL.test(behind) ? "" : behind;
  const words =
    label !== "" ? label : labels.length > 0 ? withoutNamespace(target) : target.replace(/^:/, "");
  const shown = context.marks(
    (label === "" ? attributeOf(words) : words).replace(/(?<!\s)\s*\n\s*/g, " ") + trail,
  );
  const href = hrefOf(context, title, path);
  const html = href === undefined ? shown : linkHtml(href, shown);
  return { html: context.keep(html), tookTrail: trail !== "" };
}

const percent = (whole: string, digits: string) => {
  const code = Number.parseInt(digits, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : whole;
};

/** `[[Help:Editing (basics)|]]` is shown as "Editing". */
const withoutNamespace = (target: string) =>
  target.replace(/^:?[^:]*:/, "").replace(/(?<!\s)\s*\([^()]*\)$/, "");

interface LinkTitle extends Title {
  anchor: string;
}

/** A title with its anchor. Those that begin with a slash are below this page. */
function titleAt({ titles, title }: LinkContext, target: string): LinkTitle {
  const [place = "", anchor = ""] = target.split(/#(.*)/s);
  const own = `${titles.nameOf(title.namespace)}:${title.name}`;
  const around = title.namespace === 0 ? `:${title.name}` : own;
  const above = /^((?:\.\.\/)+)(.*)$/.exec(place.trim());
  if (above !== null) {
    const steps = (above[1]?.length ?? 0) / 3;
    const folder = around.split("/").slice(0, -steps).join("/");
    const rest = (above[2] ?? "").replace(/\/$/, "");
    return { ...titles.read(rest === "" ? folder : `${folder}/${rest}`), anchor };
  }
  if (place.trim().startsWith("/"))
    return { ...titles.read(around + place.trim().replace(/\/$/, "")), anchor };
  if (place.trim() === "") return { ...title, anchor };
  return { ...titles.read(place), anchor };
}

function hrefOf({ title }: LinkContext, to: LinkTitle, path: string | undefined): string | undefined {
  const { anchor } = to;
  const fragment = anchor === "" ? "" : `#${encodePath(anchorOf(anchor))}`;
  if (to.key === title.key && fragment !== "") return fragment;
  if (path === undefined) return undefined;
  const [place = "", own] = path.split("#");
  return `/${encodePath(place)}${fragment !== "" ? fragment : own === undefined ? "" : `#${encodePath(own)}`}`;
}

/** What only says how a file is shown, in the languages of most wikis. */
const OPTION =
  /^(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|center|centre|none|baseline|sub|super|top|text-top|middle|bottom|text-bottom|upright|\d*(?:x\d+)?\s*(?:px|пкс)|(?:upright|hochkant|link|page|lang|class|start|end|thumbtime|seite|verweis|lien|enlace)\s*=.*|mini(?:atur|ature)?|gerahmt|rahmenlos|rand|links|rechts|zentriert|ohne|hochkant|vignette|cadre|gauche|droite|centr\u00e9|miniaturadeimagen|izquierda|derecha|centro|мини|справа|слева)$/i;

/** A file as its image, where that is in the source, or else as its caption. */
function fileHtml(context: LinkContext, name: string, labels: readonly string[]): string {
  const said = labels.map((label) => label.trim());
  const alt = said.find((label) => /^alt(?:ernativtext)?\s*=/i.test(label))?.replace(/^[^=]*=\s*/, "");
  const caption = said.findLast(
    (label) => label !== "" && !OPTION.test(label) && !/^alt\w*\s*=/i.test(label),
  );
  const isBlock = said.some((label) => /^(?:thumb|frame|mini|gerahmt|vignette|cadre|мини)/i.test(label));
  const words = context.marks((caption ?? alt ?? "").replace(/(?<!\s)\s*\n\s*/g, " "));
  const place = context.imageOf(name);
  const image =
    place === undefined
      ? ""
      : `<img src="${attributeOf(`/${encodePath(place)}`)}" alt="${attributeOf(plain(alt ?? caption ?? ""))}">`;
  const html = image === "" || isBlock ? `${image} ${words}`.trim() : image;
  if (html === "") return "";
  return isBlock ? `\n\n${context.keep(html)}\n\n` : context.keep(html);
}

const plain = (html: string) =>
  unescaped(
    html
      .replace(/<[^<>]*>|\uE000\d+\uE001/g, "")
      .replaceAll("'''", "")
      .replaceAll("''", ""),
  );

const EXTERNAL =
  /\[((?:(?:https?|ftps?|git|ssh|svn|irc|sftp):\/\/|mailto:|tel:)[^\s[\]<>"]{1,2000}|\/\/[^\s[\]<>"]{1,2000})([^\][\n]{0,2000})\]/gi;
const BARE = /(?<![\w"'=/>])(?:https?|ftp):\/\/[^\s<>"[\]\uE000-\uE003]{1,2000}/gi;

/** Writes addresses elsewhere, in brackets and bare. */
export function writeExternalLinks({ keep, marks }: LinkContext, text: string): string {
  const link = (address: string, words: string) => {
    const href = safeLink(unescaped(address.startsWith("//") ? `https:${address}` : address));
    return href === undefined ? words : linkHtml(href, words);
  };
  return text
    .replace(EXTERNAL, (_, address: string, label: string) => {
      const words = label.trim();
      return keep(link(address, words === "" ? address.replace(/^mailto:/i, "") : marks(words)));
    })
    .replace(BARE, (address) => {
      const own = withoutEnd(address);
      return keep(link(own, own)) + address.slice(own.length);
    });
}

/** An address in a sentence, without the marks that end that. */
function withoutEnd(address: string): string {
  const end = address.search(/''|&(?:lt|gt|quot);/);
  const own = (end < 0 ? address : address.slice(0, end)).replace(/[.,;:!?]{1,20}$/, "");
  return own.endsWith(")") && !own.includes("(") ? own.slice(0, -1) : own;
}
