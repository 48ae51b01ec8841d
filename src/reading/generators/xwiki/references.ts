import { splitReference } from "./page-file.ts";

/** A page by its spaces and its name: `WebHome` is the page of its space. */
interface PageName {
  spaces: readonly string[];
  name: string;
}

/** The home page of a space stands for the space. */
export const HOME = "WebHome";

/** What pages are known by: the names down to it, without the one of a home page. */
export const keyOf = (page: PageName) => JSON.stringify(namesOf(page));

export const namesOf = ({ spaces, name }: PageName): readonly string[] =>
  name === HOME ? spaces : [...spaces, name];

/** The pages that a reference may mean, seen from another page, the likeliest first. */
function meantNames(reference: string, from: PageName): PageName[] {
  // The wiki in front of it: `xwiki:Main.WebHome`.
  const plain = reference.trim().replace(/^(?:[\w-]{1,50}|\.):(?=\S)/, "");
  const isRelative = plain.startsWith(".");
  const parts = splitReference(plain);
  if (parts === undefined) return [from];
  const name = parts.at(-1) ?? HOME;
  const above = parts.slice(0, -1);
  const spaces = isRelative ? [...from.spaces, ...above] : above.length === 0 ? [...from.spaces] : above;
  return [
    { spaces, name },
    { spaces: [...spaces, name], name: HOME },
    ...(above.length === 0 ? [{ spaces: [name], name: HOME }] : []),
  ];
}

/** The space that `space:A.B` means, and the page that `page:A/B` does. */
export function namedPages(scheme: string, reference: string, from: PageName): PageName[] {
  if (scheme === "space") return [{ spaces: splitReference(reference) ?? [], name: HOME }];
  if (scheme !== "page") return meantNames(reference, from);
  const parts = reference
    .split("/")
    .map((part) => part.replaceAll("\\", ""))
    .filter((part) => part !== "" && part !== ".");
  return [
    { spaces: parts, name: HOME },
    { spaces: parts.slice(0, -1), name: parts.at(-1) ?? HOME },
  ];
}
