import { safeLink } from "@docent/kernel/text/safe-url";
import { encodePath } from "../../page/page-path.ts";
import { attributeOf, codeHtml, htmlOfText, linkHtml, noteMark } from "../wiki-writing/wiki-writing.ts";
import { cleanId } from "./ids.ts";

/** What the words of a page need to know. */
export interface InlineContext {
  /** The path of the page that a link leads to; undefined where there is none. */
  pathOf(written: string): string | undefined;
  /** The title that a page is shown with. */
  titleOf(path: string): string | undefined;
  /** Where a file that everyone may see lies in the source, from its root. */
  mediaOf(written: string): string | undefined;
  tags: Set<string>;
  /** Pieces of HTML that stand in the text as their number. */
  kept: string[];
  notes: string[];
}

const keep = ({ kept }: InlineContext, html: string) => `\uE000${kept.push(html) - 1}\uE001`;

const OPENING = /<(code|file|nowiki|html|php)(?=[\s>])([^>\n]{0,300})>|%%|~~[A-Z][^~\n]{0,200}~~/gi;

/** Takes code and what is no markup out of a page's text. What is left open is words. */
export function withoutProtected(context: InlineContext, text: string): string {
  const lowered = text.toLowerCase();
  // A few letters have more than one small one.
  const small = lowered.length === text.length ? lowered : text;
  // What is not closed behind one place is not closed behind the next either.
  const missing = new Set<string>();
  const out: string[] = [];
  let at = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found !== null; found = OPENING.exec(text)) {
    const [whole, tag, said = ""] = found;
    const start = found.index + whole.length;
    const close = tag === undefined ? "%%" : `</${tag.toLowerCase()}>`;
    const isMacro = tag === undefined && whole !== "%%";
    const end = isMacro || missing.has(close) ? -1 : small.indexOf(close, start);
    if (!isMacro && end < 0) {
      missing.add(close);
      continue;
    }
    out.push(text.slice(at, found.index));
    if (!isMacro) out.push(keep(context, protectedHtml(tag?.toLowerCase(), said, text.slice(start, end))));
    at = isMacro ? start : end + close.length;
    OPENING.lastIndex = at;
  }
  out.push(text.slice(at));
  return out.join("");
}

function protectedHtml(tag: string | undefined, said: string, content: string): string {
  if (tag === undefined || tag === "nowiki") return htmlOfText(content);
  if (tag === "html" || tag === "php") return htmlOfText(content.replace(/<[^<>]*>/g, " "));
  const [language = "", file] = said.trim().split(/\s+/);
  const title = file === undefined || file.startsWith("[") ? "" : `<p><b>${htmlOfText(file)}</b></p>`;
  return title + codeHtml(content.replace(/^\n/, ""), language === "-" ? "" : language);
}

const DEPTH_MAX = 10;

/** Words with their markup as HTML. */
export function writeWords(context: InlineContext, text: string, depth = 0): string {
  if (depth > DEPTH_MAX) return htmlOfText(text);
  const noted = depth === 0 ? withoutNotes(context, text) : text;
  const linked = noted
    .replace(/\[\[([^\][]{1,2000}(?:\[[^\][]{0,200}\][^\][]{0,500})?)\]\]/g, (_, inner: string) =>
      writeLink(context, inner),
    )
    .replace(/\{\{([^{}]{1,2000})\}\}/g, (_, inner: string) => writeMedia(context, inner))
    .replace(BARE, (address) => writeAddress(context, address))
    .replace(MAIL, (_, mail: string) => keep(context, linkHtml(`mailto:${mail}`, htmlOfText(mail))));
  return marked(withTags(htmlOfText(linked.replace(SIGN_PICTURE, ""))));
}

/** The signs `:!:` and `:?:`, which are shown as pictures in front of what is important or open. */
const SIGN_PICTURE = /(?<=^|\s):[!?]:(?=\s|$)/gm;
const BARE = /(?<![\w/])(?:(?:https?|ftp):\/\/|www\.)[^\s<>"|\uE000-\uE003]{2,2000}/gi;
const MAIL = /<([\w.+-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,60}){1,5})>/g;

function writeAddress(context: InlineContext, address: string): string {
  const own = address.replace(/(?:[.,;:!?)\]'*]|\/\/$){1,20}$/, "");
  const href = safeLink(own.startsWith("www.") ? `http://${own}` : own);
  if (href === undefined) return address;
  const html = linkHtml(href, htmlOfText(own));
  return keep(context, html) + address.slice(own.length);
}

/** Footnotes stand in double parentheses, in the text. */
function withoutNotes(context: InlineContext, text: string): string {
  if (!text.includes("((")) return text;
  return text.replace(/\(\(((?:[^()]|\([^()]{0,500}\)){1,3000})\)\)/g, (_, note: string) => {
    context.notes.push(writeWords(context, note.trim(), 1));
    return noteMark(context.notes.length);
  });
}

/** A link, to a page, to another wiki or to anywhere. */
function writeLink(context: InlineContext, inner: string): string {
  const [written = "", ...labels] = inner.split("|");
  const target = written.trim();
  const label = labels.join("|").trim();
  const words = (usual: string) =>
    label === ""
      ? htmlOfText(usual)
      : label.includes("{{")
        ? label.replace(/\{\{([^{}]{1,2000})\}\}/g, (_, media: string) => writeMedia(context, media))
        : htmlOfText(label);
  const link = (href: string, usual: string) => keep(context, linkHtml(href, words(usual)));
  if (/^(?:[a-z][a-z\d+.-]{1,20}:\/\/|mailto:|www\.)/i.test(target)) {
    const href = safeLink(target.startsWith("www.") ? `http://${target}` : target);
    return href === undefined ? words(target) : link(href, target);
  }
  if (/^[\w.+-]+@[\w.-]+$/.test(target)) return link(`mailto:${target}`, target);
  // Other wikis, and folders of Windows: there is no address for them here.
  if (/^[\w.]{1,30}>/.test(target)) return keep(context, words(target.replace(/^[^>]*>/, "")));
  if (target.startsWith("\\\\")) return keep(context, words(target));
  const [place = "", anchor = ""] = (target.split("?", 1)[0] ?? "").split(/#(.*)/s);
  const fragment = anchor === "" ? "" : `#${encodePath(cleanId(anchor).replace(/[:.]/g, ""))}`;
  const usual =
    place === ""
      ? anchor
      : place
          .replace(/:$/, "")
          .replace(/^.*:/, "")
          .replace(/^[.~]+/, "");
  if (place === "" && fragment !== "") return link(fragment, usual);
  const path = context.pathOf(place);
  if (path === undefined) return keep(context, words(usual));
  return link(`/${encodePath(path)}${fragment}`, context.titleOf(path) ?? usual);
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|svg|avif)$/i;

/** The picture itself is not shown. */
const LINK_ONLY = /[?&]linkonly\b/i;

/** An image or another file; also what plugins are told in the same braces. */
function writeMedia(context: InlineContext, inner: string): string {
  const [, tags] = /^\s*tag>(.*)$/is.exec(inner) ?? [];
  if (tags !== undefined) {
    for (const [, quoted, bare] of tags.matchAll(/"([^"]{1,100})"|([^\s,"]{1,100})/g))
      context.tags.add((quoted ?? bare ?? "").replaceAll("_", " "));
    return "";
  }
  if (/^\s*[a-z_]{2,30}>/i.test(inner)) return "";
  const [written = "", ...labels] = inner.split("|");
  const target = (written.trim().split("?", 1)[0] ?? "").trim();
  const label = labels.join("|").trim();
  const isElsewhere = /^https?:\/\//i.test(target);
  const isPicture = IMAGE.test(target) && !LINK_ONLY.test(written);
  if (isElsewhere && !isPicture) {
    const href = safeLink(target);
    return href === undefined ? label : keep(context, linkHtml(href, htmlOfText(label || target)));
  }
  const place = isElsewhere ? undefined : context.mediaOf(target);
  if (place === undefined || !isPicture) {
    const name = isPicture ? "" : target.replace(/^.*[:/]/, "");
    return keep(context, htmlOfText(label || name));
  }
  return keep(context, `<img src="${attributeOf(`/${encodePath(place)}`)}" alt="${attributeOf(label)}">`);
}

const TAG = /&lt;(\/?)(sub|sup|del|u|s|wrap|note|color|fs|fc|hidden|spoiler)(?:\s[^<>&]{0,200})?&gt;/gi;
const SPOKEN = new Set(["sub", "sup", "del", "u", "s"]);

/** The few tags that are known; those of plugins say only how something looks. */
const withTags = (html: string) =>
  html.replace(TAG, (_, slash: string, tag: string) =>
    SPOKEN.has(tag.toLowerCase()) ? `<${slash}${tag.toLowerCase()}>` : "",
  );

const marked = (html: string) =>
  html
    .replace(/''([\s\S]+?)''/g, (_, code: string) => `<code>${code}</code>`)
    .replace(/\*\*(?=\S|\s)([\s\S]+?)\*\*/g, "<b>$1</b>")
    .replace(/(?<!:)\/\/([\s\S]+?)(?<!:)\/\//g, "<i>$1</i>")
    .replace(/__([\s\S]+?)__/g, "<u>$1</u>")
    .replace(/\\\\(?:[ \t]|$)/gm, "<br>\n");

const KEPT = /\uE000(\d{1,7})\uE001/g;
const KEPT_DEPTH_MAX = 30;

/** HTML with all that was kept elsewhere in its place. */
export function shown(context: InlineContext, html: string, depth = 0): string {
  if (depth > KEPT_DEPTH_MAX) return "";
  return html.replace(KEPT, (_, number: string) =>
    shown(context, context.kept[Number(number)] ?? "", depth + 1),
  );
}
