import { decodeWords } from "./headers.ts";

const ADDRESSES_MAX = 1_000;

/** The addresses of a field, each as it is shown: `Ann <ann@docent.test>`. */
export function readAddresses(field: string | undefined): string[] {
  if (field === undefined) return [];
  const found: string[] = [];
  let current = "";
  let isQuoted = false;
  for (let at = 0; at < field.length && found.length < ADDRESSES_MAX; at++) {
    const character = field.charAt(at);
    if (character === "\\" && isQuoted) {
      current += character + field.charAt(at + 1);
      at += 1;
      continue;
    }
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== "," && character !== ";")) {
      current += character;
      continue;
    }
    found.push(current);
    current = "";
  }
  return [...found, current].map(shownAddress).filter((address) => address !== "");
}

function shownAddress(written: string): string {
  const plain = written.replace(/"((?:[^"\\]|\\.){0,1000})"/g, (_, inside: string) =>
    inside.replace(/\\(.)/g, "$1"),
  );
  return decodeWords(plain)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^<([^<>]*)>$/, "$1")
    .slice(0, 300);
}
