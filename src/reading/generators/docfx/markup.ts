import { TAB_END, tabOpening } from "../../markdown/callouts.ts";
import { imageOfAttributes, unwrapColumns } from "../../markdown/containers/containers.ts";
import { calloutKind, eachOutsideCode } from "../writing/writing.ts";
import type { UidPlace } from "./pages.ts";
import type { DocfxSettings } from "./settings.ts";

type FindUid = (uid: string) => UidPlace | undefined;

/** DocFX's marks as plain Markdown, in a page whose headings have their ids. */
export function readMarkup(markdown: string, { alerts }: DocfxSettings, findUid: FindUid): string {
  let isInTabs = false;
  const read = (line: string): string[] => {
    // A rule ends tabs.
    const ends = isInTabs && /^(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line);
    const label = TAB.exec(line)?.[1];
    const closing = isInTabs && (ends || label !== undefined) ? ["", TAB_END, ""] : [];
    isInTabs = !ends && (isInTabs || label !== undefined);
    if (label !== undefined) return [...closing, tabOpening(label)];
    return ends ? closing : readLine(line, alerts);
  };
  const written = eachOutsideCode(withDefinitions(unwrapColumns(markdown), findUid), (part) => {
    const lines = part.split("\n").flatMap(read);
    return withReferences(withTripleColons(lines.join("\n")), findUid);
  });
  return isInTabs ? `${written}\n\n${TAB_END}\n` : written;
}

const TAB = /^#{1,6} \[(.*)\]\(#tab\/[^)\s]*\) \{#[^}]*\}$/;
const QUOTED = /^([ \t]*(?:>[ \t]?)+)\[!(\w{1,30})((?:[ \t][^\]\n]{0,1000})?)\][ \t]*(.*)$/;

function readLine(line: string, alerts: ReadonlySet<string>): string[] {
  if (/^#{1,6} /.test(line)) return [line.replace(/<a +(?:name|id)="[\w .-]+" *><\/a>\s*/g, "")];
  const [whole, quote = "", name = "", said = "", rest = ""] = QUOTED.exec(line) ?? [];
  if (whole === undefined) return [line];
  const upper = name.toUpperCase();
  if (upper === "VIDEO") return [`${quote}[Video](${said.trim()})${rest === "" ? "" : ` ${rest}`}`];
  if (upper === "DIV") return rest === "" ? [] : [quote + rest];
  const kind = calloutKind(name);
  if (kind !== undefined && !alerts.has(upper))
    return rest === "" ? [line] : [`${quote}[!${upper}]`, quote + rest];
  return alerts.has(upper)
    ? [`${quote}**${upper}**`, quote.trimEnd(), ...(rest === "" ? [] : [quote + rest])]
    : [line];
}

/** What it says of itself may go on in the next lines. */
const IMAGE = /:::\s*image\s((?:[^\n:]|\n(?!\n)|:(?!::)){0,3000}):::(?:image-end:::)?/g;
const NAMED = /:::\s*no-loc\s+text="([^"\n]{0,500})"\s*:::/g;
const FILM = /:::\s*video\s([^\n]{0,2000}?):::/g;
const FRAME = /^[ \t]*:::\s*(?:moniker|moniker-end|zone|zone-end|image-end|form|code-end)\b[^\n]{0,1000}$/gm;

/** Frames and conditions on what is shown go; pictures and names stay. */
function withTripleColons(part: string): string {
  if (!part.includes(":::")) return part;
  const of = (attributes: string, name: string) =>
    new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1] ?? "";
  return part
    .replace(IMAGE, (_, given: string) => imageOfAttributes(given) ?? "")
    .replace(
      FILM,
      (_, given: string) =>
        `[${of(given, "title").replace(/[[\]]/g, "") || "Video"}](<${of(given, "source")}>)`,
    )
    .replace(NAMED, (_, name: string) => name)
    .replace(FRAME, "");
}

const ANGLED = /<xref:([^<>\s]{1,500})>/g;
const TAGGED =
  /<xref\s[^<>]{0,500}?(?:href|uid)=["']([^"'<>]{1,500})["'][^<>]{0,500}?(?:\/>|>([^<]{0,500})<\/xref>|>)/g;
const LINKED = /\]\(xref:([^()\s]{1,500}(?:\([^()\s]{0,300}\)[^()\s]{0,300})?)(?:\s+"[^"\n]*")?\)/g;
const SHORT = /(^|[\s(>[*_])@(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([A-Za-z][\w.*#`~-]{0,300}))/gm;

/** Names of things are links to where those are described, or the names alone where that is not here. */
function withReferences(part: string, findUid: FindUid): string {
  if (!/xref|@/.test(part)) return part;
  return part
    .replace(ANGLED, (_, reference: string) => linkTo(reference, undefined, findUid))
    .replace(TAGGED, (_, reference: string, words?: string) => linkTo(reference, words, findUid))
    .replace(LINKED, (_, reference: string) => {
      const place = findUid(uidOf(reference));
      // Without a place, it leads to what is written of it elsewhere, which is nothing here.
      return `](${place === undefined ? "#" : addressOf(place)})`;
    })
    .replace(/\[([^[\]\n]{0,500})\]\(#\)/g, "$1")
    .replace(SHORT, (whole, before: string, double?: string, single?: string, bare?: string) => {
      const uid = double ?? single ?? bare?.replace(/(?<![.*~-])[.*~-]+$/, "") ?? "";
      const place = findUid(uid);
      if (place === undefined) return whole;
      const after = bare === undefined ? "" : bare.slice(uid.length);
      return `${before}[${place.name.replace(/[[\]]/g, "")}](${addressOf(place)})${after}`;
    });
}

const DEFINED = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]*xref:(\S{1,500}).*$/gm;

/** `[01]: xref:Some.Thing` below a page: a link that leads nowhere here is its words. */
function withDefinitions(markdown: string, findUid: FindUid): string {
  if (!markdown.includes("]: xref:")) return markdown;
  const dropped = new Set<string>();
  const defined = eachOutsideCode(markdown, (part) =>
    part.replace(DEFINED, (_, label: string, reference: string) => {
      const place = findUid(uidOf(reference));
      if (place !== undefined) return `[${label}]: ${addressOf(place)}`;
      dropped.add(label.toLowerCase());
      return "";
    }),
  );
  if (dropped.size === 0) return defined;
  const shown = (whole: string, words: string, label: string) =>
    dropped.has((label === "" ? words : label).toLowerCase()) ? words : whole;
  return eachOutsideCode(defined, (part) =>
    part.replace(/\[([^[\]\n]{1,500})\]\[([^[\]\n]{0,200})\]/g, shown),
  );
}

function linkTo(reference: string, words: string | undefined, findUid: FindUid): string {
  const [uid, query = ""] = [uidOf(reference), reference.split("?")[1] ?? ""];
  const place = findUid(uid);
  const given = new URLSearchParams(query).get("text") ?? words?.trim();
  const name = (given || place?.name) ?? uid.replace(/\*$/, "");
  if (place !== undefined) return `[${name.replace(/[[\]]/g, "")}](${addressOf(place)})`;
  return given ? given : `\`${name.replaceAll("`", "")}\``;
}

const addressOf = ({ page, anchor }: UidPlace) =>
  `/${encodeURI(page.path)}${anchor === "" ? "" : `#${anchor}`}`;

function uidOf(reference: string): string {
  const [uid = ""] = reference.split(/[?#]/, 1);
  try {
    return decodeURIComponent(uid);
  } catch {
    return uid;
  }
}
