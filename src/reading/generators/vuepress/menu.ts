import { asText, isRecord } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { isComputed, knownIn } from "../config/config.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";

/** Writes the menus of VuePress as those of VitePress. */
export interface MenuWriter {
  sidebar(value: unknown): Promise<unknown>;
  entries(value: unknown, prefix: string): Promise<unknown>;
}

const DEEP_MAX = 20;
const ENTRIES_MAX = 20_000;
const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Entries may be no more than the place of a page: its title is then their name. */
export function createMenuWriter(tree: DocsTree, root: string): MenuWriter {
  const left = { entries: ENTRIES_MAX };

  const nameOf = (link: string) => titleOfPage(tree, root, link);

  async function entryOf(value: unknown, prefix: string, depth: number): Promise<unknown> {
    const item = knownIn(value);
    if (typeof item === "string") {
      const link = linkBelow(prefix, item);
      return { text: await nameOf(link), link };
    }
    if (Array.isArray(item)) {
      const [link, text] = item;
      return typeof link === "string" ? { text, link: linkBelow(prefix, link) } : undefined;
    }
    if (!isRecord(item) || isComputed(item) || "call" in item) return item ?? value;
    const place = asText(knownIn(item["link"])) ?? asText(knownIn(item["path"]));
    const link = place === undefined ? undefined : linkBelow(prefix, place);
    const text = knownIn(item["text"]) ?? knownIn(item["title"]);
    const below = linkBelow(prefix, asText(knownIn(item["prefix"])) ?? "");
    const items = await entriesOf(item["children"] ?? item["items"], below, depth + 1);
    return {
      text: text ?? (link === undefined ? "" : await nameOf(link)),
      ...(link === undefined ? {} : { link }),
      ...(items === undefined ? {} : { items }),
    };
  }

  async function entriesOf(value: unknown, prefix: string, depth: number): Promise<unknown> {
    const list = withoutHelper(value);
    if (!Array.isArray(list) || depth > DEEP_MAX) return undefined;
    const entries: unknown[] = [];
    for (const each of list) {
      if (left.entries-- <= 0) break;
      entries.push(await entryOf(each, prefix, depth));
    }
    return entries;
  }

  return {
    entries: (value, prefix) => entriesOf(value, prefix, 0),
    async sidebar(value) {
      const known = withoutHelper(value);
      if (Array.isArray(known)) return entriesOf(known, "/", 0);
      if (!isRecord(known) || isComputed(known)) return undefined;
      const sections = Object.entries(known).map(
        async ([folder, entries]) => [folder, await entriesOf(entries, folder, 0)] as const,
      );
      const written = (await Promise.all(sections)).filter(([, entries]) => entries !== undefined);
      return written.length === 0 ? undefined : Object.fromEntries(written);
    },
  };
}

/** The title of the page that an entry leads to. */
async function titleOfPage(tree: DocsTree, root: string, link: string): Promise<string> {
  const plain = link.replace(/^\/+/, "").replace(/(?:\.html|\.md)$/, "");
  const stem = plain.replace(/\/$/, "");
  const names = ["README", "readme", "Readme", "index"].map((name) => joinLocation(stem, name));
  const found = [...(plain === stem && stem !== "" ? [stem] : []), ...names]
    .map((each) => joinLocation(root, `${each}.md`))
    .find((each) => tree.has(each));
  const text = found === undefined ? undefined : await tree.text(found);
  if (text === undefined) return stem;
  const { data, body } = splitFrontMatter(text);
  return titleOf(data, body) ?? stem;
}

/** Helpers such as Hope's `sidebar({…})` give back what they are given. */
function withoutHelper(value: unknown): unknown {
  const known = knownIn(value);
  return isRecord(known) && Array.isArray(known["arguments"]) ? knownIn(known["arguments"][0]) : known;
}

/** A link as it is from the site's root; one that begins there already stays. */
const linkBelow = (prefix: string, link: string) =>
  EXTERNAL.test(link) || link.startsWith("/") ? link : `${prefix.replace(/\/?$/, "/")}${link}`;
