import { takeHeadingId } from "../../markdown/anchors.ts";
import { scanBlocks } from "../../markdown/md/md.ts";
import { plainInline } from "../../markdown/plain-text.ts";
import { nameOf, stemOf } from "../docs-tree.ts";
import { marksOf, readInline } from "./markup/markup.ts";
import type { MkDocsPage } from "./pages.ts";
import type { MkDocsSettings } from "./settings.ts";

/** A page's titles by where they stand. */
export interface PageTitles {
  /** In its front matter. */
  said: string | undefined;
  /** What it is called where the menu says nothing. */
  usual: string;
}

/** The title that a page has by itself: its front matter's, its heading's, or its name. */
export function titlesOf(
  page: MkDocsPage,
  { data, body }: { data: Readonly<Record<string, unknown>>; body: string },
  { extensions, isZensical }: MkDocsSettings,
): PageTitles {
  const { title } = data;
  const said = typeof title === "string" || typeof title === "number" ? String(title) : undefined;
  if (said !== undefined) return { said, usual: said };
  const blocks = scanBlocks(readInline(body.slice(0, BEGINNING), marksOf(extensions)).markdown);
  const first = isZensical
    ? blocks.find(({ kind, level }) => kind === "heading" && level === 1)
    : blocks.find(({ kind }) => kind !== "definition");
  const words =
    first?.kind === "heading" && first.level === 1 ? plainInline(takeHeadingId(first.text).text) : "";
  return { said, usual: words === "" ? fromName(page) : words };
}

/** A title stands at the beginning. */
const BEGINNING = 20_000;

function fromName({ name, path, isIndex }: MkDocsPage): string {
  if (isIndex && path === "") return "Home";
  const stem = isIndex ? "index" : stemOf(nameOf(name));
  return titleFromName(stem);
}

/** `getting-started` is "Getting started"; a name with capitals keeps them. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_]/g, " ");
  return words.toLowerCase() === words ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}
