import { z } from "zod";
import { eachOutsideCode, type NameHeading, writeHeadingIds } from "../../generators/writing/writing.ts";
import { relativeDestinations, rewriteDestinations } from "../../markdown/destinations.ts";
import type { Connector } from "../connector.ts";
import { createApi, findWorkspace } from "./api.ts";
import { COLLECTION_MARK, listPages, placeIn, urlIdOf } from "./list.ts";

const TEXT = z.object({ text: z.string().default("") });
const DESCRIPTION = z.object({ description: z.string().nullish() });

/** Outline, of one's own or in the cloud, by its API. */
export const outline: Connector = {
  async open(address, server, bounds) {
    const base = address.origin;
    const api = createApi(base, server);
    const url = await findWorkspace(base, api);
    const place = placeIn(address);
    /** By id, and by the part of addresses that titles do not change. */
    let addresses: ReadonlyMap<string, string> = new Map();
    return {
      program: "Outline",
      async list() {
        const listing = await listPages(api, { url, place }, bounds);
        addresses = new Map(
          listing.pages.flatMap((page): [string, string][] => [
            [page.id.replace(COLLECTION_MARK, ""), page.address],
            [urlIdOf(page.address), page.address],
          ]),
        );
        return listing;
      },
      async read({ id }) {
        const isCollection = id.startsWith(COLLECTION_MARK);
        const text = isCollection
          ? (await api.ask("collections.info", { id: id.slice(COLLECTION_MARK.length) }, DESCRIPTION))
              .description
          : (await api.ask("documents.info", { id }, TEXT)).text;
        return { data: {}, markdown: writeText(text ?? "", { url, base, addresses }), faults: [] };
      },
    };
  },
};

interface Wiki {
  /** Where people reach it, and where it is asked. */
  url: string;
  base: string;
  addresses: ReadonlyMap<string, string>;
}

const OWN_PAGE = /^\/(?:doc|collection)\/([^/?#]{1,300})/;

/** A document's text as plain Markdown. Its links lead to where pages are listed now, whatever they were called. */
function writeText(text: string, { url, base, addresses }: Wiki): string {
  const relative = [url, base].reduce((all, each) => all.replaceAll(`](${each}/`, "](/"), text);
  const plain = writeHeadingIds(withoutMarks(relative), createHeadingIds());
  const own = relativeDestinations(plain).filter(({ href }) => href.startsWith("/"));
  const whole = own.map((destination) => {
    const { href } = destination;
    const name = OWN_PAGE.exec(href)?.[1];
    const page = name === undefined ? undefined : (addresses.get(name) ?? addresses.get(urlIdOf(name)));
    const hash = /#.*$/.exec(href)?.[0] ?? "";
    return { ...destination, href: page === undefined ? url + href : page + hash };
  });
  return rewriteDestinations(plain, whole);
}

/** The line that begins or ends what readers can fold. Its first block is its title. */
const FOLD = /^[ \t]*\+{3,}[ \t]*$/gm;
/** An image's title holds its size and its place on the page besides. */
const IMAGE = /(!\[[^\]\n]{0,500}\]\([^\s()]{1,2000})[ \t]+(?:"([^"\n]{0,500})"|=\d*x\d*)[ \t]*\)/g;
const LAYOUT = /(?:^|\s)(?:=\d*x\d*|(?:left|right)-50|full-width|source:\S{1,100})(?=\s|$)/g;
const MENTION = /@\[([^\]\n]{1,500})\]\(mention:\/\/[^\s/()]{0,100}\/(\w{1,40})\/([^\s()]{1,200})\)/g;
const HIGHLIGHT = /==([^=\n]{1,1000})==/g;
/** Formulas are as they are; a break in a line is written in two letters. */
const FORMULA_OR_BREAK = /\$\$[\s\S]{0,5000}?\$\$|\$[^$\n]{1,500}\$|\\\\|\\n/g;
const HEADING_LINE = /^#{1,6}[ \t].*$/gm;

/** Outline's own marks as plain Markdown. Notices (`:::info`) are read as they are. */
function withoutMarks(text: string): string {
  return eachOutsideCode(text, (words) =>
    words
      .replace(FOLD, "")
      .replace(IMAGE, (_, image: string, title = "") => {
        const said = String(title).replace(LAYOUT, "").trim();
        return said === "" ? `${image})` : `${image} "${said}")`;
      })
      .replace(MENTION, (_, label: string, kind: string, id: string) =>
        /^(?:document|collection)$/.test(kind)
          ? `[${label}](/${kind === "document" ? "doc" : kind}/${id})`
          : `@${label}`,
      )
      .replace(HEADING_LINE, (line) =>
        line.replace(FORMULA_OR_BREAK, (mark) => (mark === "\\n" ? " " : mark)),
      )
      .replace(FORMULA_OR_BREAK, (mark) => (mark === "\\n" ? "\\\n" : mark))
      .replace(HIGHLIGHT, "$1"),
  );
}

const WORDS: Readonly<Record<string, string>> = {
  $: "dollar",
  "%": "percent",
  "&": "and",
  "<": "less",
  ">": "greater",
  "|": "or",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "dj",
  ł: "l",
  þ: "th",
  ð: "d",
  ı: "i",
  "–": "-",
  "—": "-",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
};

/** Cyrillic letters from а to я, as they are spelled in ids. */
const CYRILLIC = "a b v g d e zh z i j k l m n o p r s t u f h c ch sh sh u y  e yu ya".split(" ");

const REMOVED = /[!"#$%&'.()*+,/:;<=>?@[\]\\^_`{|}~]/g;
/** Scripts that Outline spells in Latin letters, by tables that are not known here. */
const SPELLED =
  /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Arabic}]/u;
const ACCENTED = /^[a-z]\p{M}+$/u;

function spelled(letter: string): string {
  const small = letter.toLowerCase();
  const word = WORDS[small];
  if (word !== undefined) return word;
  if (small === "ё") return "yo";
  if (/^[а-я]$/.test(small)) return CYRILLIC[(small.codePointAt(0) ?? 0) - CYRILLIC_BEGIN] ?? "";
  const apart = small.normalize("NFD");
  return ACCENTED.test(apart) ? apart.slice(0, 1) : small;
}

const CYRILLIC_BEGIN = 0x430;

/** The ids of one page's headings, as Outline makes them; none where they cannot be told. */
function createHeadingIds(): NameHeading {
  const counts = new Map<string, number>();
  return ({ words }) => {
    const letters = [...words.normalize("NFC")].map((letter) => spelled(letter).replace(REMOVED, ""));
    const slug = letters.join("").replaceAll("-", " ").trim().replace(/\s+/g, "-");
    if (SPELLED.test(slug)) return "";
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? `h-${slug}` : `h-${slug}-${count}`;
  };
}
