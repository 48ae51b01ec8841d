import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ConfluenceApi } from "./api.ts";
import type { Content } from "./spaces-and-contents.ts";

const LABEL = z.object({ name: z.string(), prefix: z.string().optional() });

/**
 * What the first version of the API, which both have for this, says of a page besides its words: who may read it, its labels,
 * and the versions of its attachments.
 */
export const MARKS = z.object({
  restrictions: z.object({ read: z.object({ restrictions: z.unknown() }).optional() }).optional(),
  metadata: z.object({ labels: z.object({ results: z.array(LABEL) }).optional() }).optional(),
  children: z
    .object({
      attachment: z
        .object({
          results: z.array(
            z.object({
              id: z.string(),
              _links: z.object({ download: z.string().optional() }).optional(),
            }),
          ),
        })
        .optional(),
    })
    .optional(),
});

/** What has to be asked for so that those are in a reply. */
export const MARKS_EXPANDED = [
  "restrictions.read.restrictions.user",
  "restrictions.read.restrictions.group",
  "metadata.labels",
  "children.attachment",
].join(",");

const PEOPLE = z.object({ results: z.array(z.unknown()) });
const RESTRICTIONS = z.object({ user: PEOPLE, group: PEOPLE });

/** What a page is marked with. */
export interface Marks {
  isRestricted: boolean | undefined;
  /** Differs where labels or attachments do: an attachment's address has its version. */
  signature: string;
}

export function marksOf({ restrictions, metadata, children }: z.infer<typeof MARKS>): Marks {
  const labels = (metadata?.labels?.results ?? []).map(({ name }) => name).sort();
  const files = (children?.attachment?.results ?? [])
    .map(({ id, _links: links }) => `${id} ${links?.download ?? ""}`)
    .sort();
  return {
    isRestricted: isRestricting(restrictions?.read?.restrictions),
    signature: Bun.hash(JSON.stringify([labels, files])).toString(36),
  };
}

/** Whoever is named may read it, and nobody else; where nobody is, all may. */
function isRestricting(restrictions: unknown): boolean | undefined {
  const read = RESTRICTIONS.safeParse(restrictions);
  return read.success ? read.data.user.results.length > 0 || read.data.group.results.length > 0 : undefined;
}

/** The labels that everyone sees: others are marks that people make for themselves. */
export const labelsOf = (labels: readonly z.infer<typeof LABEL>[] = []): string[] =>
  labels.filter(({ prefix = "global" }) => prefix === "global").map(({ name }) => name);

const ASKED_MAX = 1_000;

/** Asks for the restrictions of what no list told them of. */
export async function askRestrictions(api: ConfluenceApi, contents: readonly Content[]): Promise<Content[]> {
  const unsaid = contents.filter(({ isRestricted }) => isRestricted === undefined);
  if (unsaid.length > ASKED_MAX)
    throw new AppError(
      "unavailable",
      `${api.root} does not say who may read ${unsaid.length} of its pages.`,
      {
        hint: "Readers still see what was there before. Run this again later: its search index may be incomplete.",
      },
    );
  const asked: Content[] = [];
  for (const each of contents)
    asked.push(
      each.isRestricted === undefined ? { ...each, isRestricted: await askOne(api, each.id) } : each,
    );
  return asked;
}

async function askOne(api: ConfluenceApi, id: string): Promise<boolean | undefined> {
  const reply = await api.find(
    `/rest/api/content/${id}/restriction/byOperation/read`,
    { expand: "restrictions.user,restrictions.group" },
    z.object({ restrictions: z.unknown() }),
  );
  return isRestricting(reply?.restrictions);
}
