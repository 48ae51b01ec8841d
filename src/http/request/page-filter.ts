import { z } from "zod";

const label = z.string().max(200);

/** What a question or a search is narrowed to. */
export const pageFilterSchema = z
  .object({
    version: label.nullish(),
    language: label.nullish(),
    tag: label.nullish(),
    groups: z.array(label).max(50).nullish(),
  })
  .meta({ id: "PageFilter" });

/** The same as features know it: what is null is not said. */
export const readPageFilter = ({ version, language, tag, groups }: z.infer<typeof pageFilterSchema>) => ({
  version: version ?? undefined,
  language: language ?? undefined,
  tag: tag ?? undefined,
  groups: groups ?? undefined,
});
