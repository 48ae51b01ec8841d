import type { Answer } from "../replies.ts";
import { pathTo } from "../router.ts";
import type { SiteView } from "../site-view.ts";

/** What the editor changes of an answer. */
export interface AnswerDraft {
  name: string;
  /** The ways to ask, one a line. */
  questions: string;
  markdown: string;
  version: string;
  language: string;
}

const QUESTION_NAMES = ["question", "questions"];

/** An answer as the file that is sent: its questions, what its front matter says besides, and its words. */
export function answerFile(
  questions: readonly string[],
  markdown: string,
  frontMatter: Answer["frontMatter"] = {},
): string {
  const others = Object.entries(frontMatter).filter(([name]) => !QUESTION_NAMES.includes(name));
  // YAML takes JSON as it is, whatever signs are in it.
  const lines = [
    "questions:",
    ...questions.map((question) => `  - ${JSON.stringify(question)}`),
    ...others.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  return `---\n${lines.join("\n")}\n---\n\n${markdown.trim()}\n`;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,99}$/u;

/** What is wrong with the name of an answer, for who writes it. */
export function nameFault(name: string): string | undefined {
  const parts = name.split("/");
  const isRight = NAME.test(name) && !parts.some((part) => part === "" || part === "." || part === "..");
  return isRight
    ? undefined
    : "Up to 100 letters, digits, dots, hyphens and slashes, such as reset-password.";
}

/** The name itself where it is free, or the first one with a number behind it that is. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) {
    const numbered = `${name}-${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}

/** The words of a question as a file might be called. */
export function nameOfQuestion(question: string): string {
  const words = question
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return words.slice(0, NAME_CHARACTERS_MAX).toWellFormed().replace(/-$/, "");
}

const NAME_CHARACTERS_MAX = 60;

/** The path of the operations of an answer. Slashes in its name stay as they are. */
export const answerPath = (domain: string, name: string) =>
  `/v1/admin/sites/${encodeURIComponent(domain)}/answers/${name.split("/").map(encodeURIComponent).join("/")}`;

/** The editor's address for an answer of a name, version and language. */
export const answerEditorPath = (
  { organizationName, domain }: SiteView,
  { name, version, language }: Pick<Answer, "name" | "version" | "language">,
) => pathTo(["dashboard", organizationName, domain, "answers", "edit"], { name, version, language });
