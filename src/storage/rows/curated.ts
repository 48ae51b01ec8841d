import type { LinkedPage, StoredAnswer } from "@docent/answering/curated/curated-store";
import { isHidden, pageGroups, splitFrontMatter } from "@docent/reading/markdown/front-matter";
import { nameOfFile } from "@docent/reading/page/answer-file";
import { z } from "zod";
import { readStrings, translationsIn } from "./json.ts";

/** An answer in a file among the docs. */
export interface AnswerFileRow {
  path: string;
  location: string;
  source: string;
  version: string;
  language: string;
  frontMatterJson: string;
  groupsJson: string;
  markdown: string;
  hidden: number;
  generation: number;
}

export interface LinkedRow extends Omit<LinkedPage, "groups" | "passages" | "translations"> {
  groupsJson: string;
  passagesJson: string;
  translationsJson: string | null;
}

const frontMatterSchema = z.lazy(() => z.record(z.string(), z.unknown()));
const passagesSchema = z.lazy(() =>
  z.array(z.object({ id: z.number(), anchor: z.string(), inner: z.array(z.object({ anchor: z.string() })) })),
);

/** An answer that was added by hand. */
interface AnswerRow {
  name: string;
  version: string;
  language: string;
  markdown: string;
  generation: number;
}

export const toFileAnswer = ({
  frontMatterJson,
  groupsJson,
  hidden,
  ...row
}: AnswerFileRow): StoredAnswer => ({
  ...row,
  name: nameOfFile(row.location),
  frontMatter: frontMatterSchema.parse(JSON.parse(frontMatterJson)),
  groups: readStrings(groupsJson),
  hidden: hidden === 1,
});

export const toLinkedPage = ({
  passagesJson,
  translationsJson,
  groupsJson,
  ...page
}: LinkedRow): LinkedPage => ({
  ...page,
  ...translationsIn(translationsJson),
  groups: readStrings(groupsJson),
  passages: toAnchors(passagesJson),
});

const toAnchors = (passagesJson: string): LinkedPage["passages"] =>
  passagesSchema
    .parse(JSON.parse(passagesJson))
    .map(({ id, anchor, inner }) => ({ id, anchors: [anchor, ...inner.map((heading) => heading.anchor)] }));

/** An answer that was added by hand. Its links are meant as in a file of that name among the docs. */
export function toAnswer({ name, version, language, markdown, generation }: AnswerRow): StoredAnswer {
  const { data, body } = splitFrontMatter(markdown);
  return {
    name,
    source: undefined,
    path: `answers/${name}`,
    location: `answers/${name}.md`,
    version,
    language,
    frontMatter: data,
    groups: pageGroups(data).groups,
    markdown: body,
    hidden: isHidden(data),
    generation,
  };
}
