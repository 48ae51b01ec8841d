const VERSION = /^\d+(?:\.\d+)*(?:\.x)?$/;

/** The words for characters that are more than a letter, as the package `slugify` has them. */
const WORDS: Record<string, string> = {
  $: "dollar",
  "%": "percent",
  "&": "and",
  "<": "less",
  ">": "greater",
  "|": "or",
  ß: "ss",
  æ: "ae",
  ø: "o",
  đ: "d",
  ł: "l",
  œ: "oe",
  "©": "(c)",
  "®": "(r)",
  "€": "euro",
  "£": "pound",
};

/** The address of a file, by its location without the extension: numbers only order files, and an index is its folder. */
export const addressOf = (stem: string): string =>
  stem
    .split("/")
    .map((name) => slugOf(withoutNumber(name)))
    .filter((name) => name !== "")
    .join("/");

/** A name without the number that orders it. */
export function withoutNumber(name: string): string {
  if (VERSION.test(name)) return name;
  return name
    .replace(/^\d+\./, "")
    .replace(/^index(?:\.draft)?$/, "")
    .replace(/\.draft$/, "");
}

function slugOf(name: string): string {
  const plain = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[$%&<>|ßæøđłœ©®€£]/g, (sign) => WORDS[sign] ?? "")
    .replace(/-/g, " ")
    .normalize("NFD")
    .replace(/[^\w\s*+~.()'"!:@-]+/g, "");
  return plain.trim().replace(/\s+/g, "-");
}

/** The title that a file or folder has by its name alone: "getting-started" is "Getting Started". */
export const titleOfName = (name: string): string =>
  name
    .split(/[\s-]/)
    .map((word) =>
      word
        .split(/[_/.]/)
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join(""),
    )
    .join(" ");
