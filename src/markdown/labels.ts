import { isRecord } from "../text/plain-data.ts";

/** What a page's front matter sorts it under. */
export interface PageLabels {
  tags: string[];
  /** Who may see it, where the site knows groups. */
  groups: string[];
  /** Further words by which it should be found, error codes among them. */
  keywords: string[];
  version?: string;
  language?: string;
}

const LABELS_MAX = 50;
const CHARACTERS_MAX = 100;
const NAMES = {
  tags: ["tags", "tag"],
  groups: ["groups", "group"],
  keywords: ["keywords", "keyword", "f1_keywords", "helpviewer_keywords"],
  version: ["version"],
  language: ["lang", "language", "locale"],
} as const;

/** Reads labels as writers write them: a list, one text, or several with commas between; as written, each once. */
export function pageLabels(data: Record<string, unknown>): PageLabels {
  const read = (kind: keyof typeof NAMES) => unique(NAMES[kind].flatMap((name) => labelsIn(data[name])));
  const [version] = read("version");
  const [language] = read("language");
  return {
    tags: read("tags"),
    groups: read("groups"),
    keywords: read("keywords"),
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
  };
}

function labelsIn(value: unknown): string[] {
  if (typeof value === "string") return value.split(",");
  if (Array.isArray(value)) return value.flatMap(labelIn);
  return labelIn(value);
}

function labelIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  // Docusaurus: a tag with an address of its own.
  return isRecord(value) && typeof value["label"] === "string" ? [value["label"]] : [];
}

function unique(labels: string[]): string[] {
  const kept = labels
    .map((label) => label.replace(/\s+/g, " ").trim())
    .filter((label) => label !== "" && label.length <= CHARACTERS_MAX);
  return [...new Set(kept)].slice(0, LABELS_MAX);
}
