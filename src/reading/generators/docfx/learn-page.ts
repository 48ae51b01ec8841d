import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";

/** A page that is written as YAML, as Microsoft Learn has them. */
interface LearnPage {
  title: string;
  /** An article as it would be written by hand. */
  body: string;
}

const KIND = /^\uFEFF?#+\s*YamlMime:\s*(FAQ|Landing|Hub|ModuleUnit|Architecture|Tutorial|HowTo|Content)\b/;
const ENTRIES_MAX = 5_000;
const DEEP_MAX = 8;

/** Reads questions with their answers, a page of links, or a page whose words are Markdown; undefined for another kind. */
export function readLearnPage(text: string): LearnPage | undefined {
  const kind = KIND.exec(text)?.[1];
  if (kind === undefined) return undefined;
  let value: unknown;
  try {
    value = Bun.YAML.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  const page = asRecord(value);
  const title = oneLine(page["title"]) || oneLine(asRecord(page["metadata"])["title"]);
  const parts = [title === "" ? "" : `# ${title}`, blockOf(page["summary"]), blockOf(page["introduction"])];
  if (kind === "FAQ") parts.push(...questionsOf(page["sections"]));
  else {
    const left = { entries: ENTRIES_MAX };
    parts.push(blockOf(page["content"]));
    for (const [name, part] of Object.entries(page))
      if (!SAID.has(name)) parts.push(...linksOf(part, left, 2));
  }
  parts.push(blockOf(page["additionalContent"]));
  const said = parts.filter((part) => part !== "");
  const isEmpty = said.length === (title === "" ? 0 : 1);
  return isEmpty ? undefined : { title, body: `${said.join("\n\n")}\n` };
}

/** What is written already, or says nothing to readers. */
const SAID = new Set(["metadata", "title", "summary", "introduction", "content", "brand"]);

const oneLine = (value: unknown) => (asText(value) ?? "").replace(/\s+/g, " ").trim();
const blockOf = (value: unknown) => (asText(value) ?? "").trim();

function questionsOf(sections: unknown): string[] {
  return asList(sections)
    .slice(0, ENTRIES_MAX)
    .flatMap((section) => {
      const { name, questions } = asRecord(section);
      const heading = oneLine(name);
      const asked = asList(questions).slice(0, ENTRIES_MAX).map(asRecord);
      return [
        heading === "" ? "" : `## ${marked(heading)}`,
        ...asked.flatMap(({ question, answer }) => [`### ${marked(oneLine(question))}`, blockOf(answer)]),
      ];
    });
}

/** A heading with the id that Learn gives it: what is neither letter nor digit is a dash each. */
function marked(words: string): string {
  const id = words.toLowerCase().replace(/[^\w-]/g, "-");
  return `<a name="${id}"></a>${words}`;
}

/** Groups of links with their titles, at any depth. */
function linksOf(value: unknown, left: { entries: number }, level: number): string[] {
  if (Array.isArray(value)) return lists(value.flatMap((each) => linksOf(each, left, level)));
  if (!isRecord(value) || level > DEEP_MAX || left.entries-- <= 0) return [];
  const label = oneLine(value["title"]) || oneLine(value["text"]);
  const url = asText(value["url"]);
  const summary =
    oneLine(value["summary"]) || (label === oneLine(value["text"]) ? "" : oneLine(value["text"]));
  const rest = Object.values(value).filter((each) => typeof each === "object");
  const inside = rest.flatMap((each) => linksOf(each, left, label === "" ? level : level + 1));
  if (label === "") return [summary, ...inside].filter((part) => part !== "");
  if (url !== undefined) return [`- [${label}](${url})${summary === "" ? "" : `: ${summary}`}`, ...inside];
  return [`${"#".repeat(Math.min(level, 6))} ${label}`, summary, ...inside].filter((part) => part !== "");
}

/** Items beside each other, as one list. */
function lists(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.startsWith("- ") && before?.startsWith("- ")) joined[joined.length - 1] = `${before}\n${part}`;
    else joined.push(part);
  }
  return joined;
}
