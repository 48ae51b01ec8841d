import type { PageFilter } from "../pages/pages.ts";
import { type Context, textOption, textsOption } from "./command.ts";

/** The options that narrow what is searched. */
export const FILTER_OPTIONS = {
  version: { type: "string" },
  language: { type: "string" },
  tag: { type: "string" },
  group: { type: "string", multiple: true },
} as const;

export const FILTER_OPTION_HELP = {
  version: "only pages of this version of the docs, and those of none",
  language: "only pages of this language, and those of none",
  tag: "only pages that have this tag",
  group: "only pages that are for this group, and those for everyone; may be repeated",
};

export function filterOf(context: Context): PageFilter {
  return {
    version: textOption(context, "version"),
    language: textOption(context, "language"),
    tag: textOption(context, "tag"),
    groups: textsOption(context, "group"),
  };
}
