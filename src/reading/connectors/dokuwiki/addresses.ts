import { decodePercent } from "@docent/kernel/text/decode-percent";
import { attribute, elementsIn, parseHtml } from "../../markdown/html/html.ts";
import type { ServerAccess } from "../connector.ts";
import { webAddress } from "../said.ts";

/** What the addresses of a wiki's pages look like. */
export interface Addresses {
  /** The first page's. */
  start: string;
  of(id: string): string;
  /** The id of the page at an address; undefined for what is none. */
  idIn(address: string): string | undefined;
}

interface Form {
  /** Where people reach the wiki, with a slash at its end. */
  url: string;
  /** What stands between that and a page's name: "doku.php?id=", "doku.php/" or nothing. */
  before: string;
  /** ":" or "/". */
  separator: string;
}

const BEFORE = ["doku.php?id=", "doku.php/", ""];

/** DokuWiki can write addresses in six ways, and says in a page which one it uses. A page in a namespace tells all of it. */
export async function readAddresses(
  base: string,
  server: ServerAccess,
  { start, sample }: { start: string; sample: string | undefined },
): Promise<Addresses> {
  const plain = { url: `${base}/`, before: "doku.php?id=", separator: ":" };
  const form = sample === undefined ? undefined : await readForm(base, server, sample);
  return createAddresses(form ?? plain, { start, base });
}

async function readForm(base: string, server: ServerAccess, id: string): Promise<Form | undefined> {
  const reply = await server.ask(`${base}/doku.php?id=${encodeURIComponent(id)}`, {
    headers: { accept: "text/html" },
  });
  const root = parseHtml(new TextDecoder().decode(reply.body));
  if (root === undefined) return undefined;
  const [link] = elementsIn(root, (each) => attribute(each, "rel") === "canonical");
  const address = decodePercent((link && attribute(link, "href")) ?? "");
  for (const separator of [":", "/"])
    for (const before of BEFORE) {
      const ending = `/${before}${id.replaceAll(":", separator)}`;
      if (address.endsWith(ending) && webAddress(address) !== undefined)
        return { url: address.slice(0, 1 - ending.length), before, separator };
    }
  return undefined;
}

const encodeId = (id: string) => encodeURIComponent(id).replaceAll("%3A", ":");

function createAddresses(
  { url, before, separator }: Form,
  { start, base }: { start: string; base: string },
): Addresses {
  const of = (id: string) => url + (id === start ? "" : before + encodeId(id).replaceAll(":", separator));
  return {
    start: url,
    of,
    idIn(address) {
      const begin = [url, `${base}/`].find((each) => address.startsWith(each));
      if (begin === undefined) return undefined;
      const [written = ""] = address.slice(begin.length).split("#", 1);
      const query = /^(?:doku\.php|index\.php)?\?(.*)$/.exec(written)?.[1];
      const named =
        query === undefined ? written.replace(/^doku\.php\/?/, "") : new URLSearchParams(query).get("id");
      const names = [...new URLSearchParams(query).keys()];
      if (names.some((name) => name !== "id") || named?.includes("?")) return undefined;
      if (/^(?:lib|_media|_detail|_export)\b/.test(named ?? "")) return undefined;
      return (
        decodePercent(named ?? "")
          .replaceAll("/", ":")
          .replace(/^:+/, "") || start
      );
    },
  };
}
