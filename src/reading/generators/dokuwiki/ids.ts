const LETTERS: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  ø: "oe",
  å: "a",
  đ: "d",
  ł: "l",
  œ: "oe",
  þ: "th",
  ð: "dh",
};

const COMBINING = /[\u0300-\u036F]/g;

/** A name without its accents, as DokuWiki calls files. */
const withoutAccents = (text: string) =>
  text
    .replace(/[äöüßæøåđłœþð]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replace(COMBINING, "")
    .normalize("NFC");

/** A page's name as DokuWiki makes it of what is written: small letters, and underscores for all other signs. */
export function cleanId(written: string, { keepsAccents = false } = {}): string {
  const small = written.normalize("NFC").trim().toLowerCase();
  const plain = keepsAccents ? small : withoutAccents(small);
  return plain
    .replaceAll(";", ":")
    .replace(/[^\p{L}\p{M}\p{N}:._-]+/gu, "_")
    .replace(/_{2,}/g, "_")
    .replace(/:{2,}/g, ":")
    .split(":")
    .map((name) => name.replace(/^[._-]+|(?<![._-])[._-]+$/g, ""))
    .filter((name) => name !== "")
    .join(":");
}

export const namespaceOf = (id: string) => id.slice(0, Math.max(0, id.lastIndexOf(":")));
export const lastOf = (id: string) => id.slice(id.lastIndexOf(":") + 1);

/** The whole name that a link in a namespace means; one that ends in a colon means a namespace. */
export function resolveId(written: string, namespace: string): string {
  const target = written.trim().replace(/^~/, "");
  if (target.startsWith(":")) return target.slice(1);
  if (!target.startsWith("."))
    return target.includes(":") || namespace === "" ? target : `${namespace}:${target}`;
  let folder = namespace.split(":").filter((name) => name !== "");
  const names: string[] = [];
  for (const name of target.replace(/^(\.{1,2})(?=[^.:])/, "$1:").split(":")) {
    if (name === "..") folder = folder.slice(0, -1);
    else if (name !== ".") names.push(name);
  }
  return [...folder, ...names].join(":");
}

/** The anchors of one page's headings, in order. */
export function createAnchors(): (words: string) => string {
  const counts = new Map<string, number>();
  return (words) => {
    const name = cleanId(words).replace(/[:.]/g, "");
    const anchor = name.replace(/^[\d_-]+/, "") || `section${name.replace(/\D+/g, "")}`;
    const count = counts.get(anchor);
    counts.set(anchor, (count ?? 0) + 1);
    return count === undefined ? anchor : `${anchor}${count}`;
  };
}
