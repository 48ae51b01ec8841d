import { AppError } from "@docent/kernel/errors";
import { ANYBODY, type Audience, groupsOf } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";
import { type Context, textOption, textsOption } from "../../command.ts";

/** The options that narrow what is searched, and say for whom. */
export const ASKING_OPTIONS = {
  version: { type: "string" },
  language: { type: "string" },
  tag: { type: "string" },
  group: { type: "string", multiple: true },
  anybody: { type: "boolean" },
} as const;

export const ASKING_OPTION_HELP = {
  version: "only pages of this version of the docs, and pages without a version",
  language: "only pages in this language, and pages without a language",
  tag: "only pages that have this tag",
  group:
    "as a reader in this group finds it; may be repeated. Without it, an owner asks, who sees every page",
  anybody: "as a reader in no group finds it",
};

export function filterOf(context: Context): PageFilter {
  return {
    version: textOption(context, "version"),
    language: textOption(context, "language"),
    tag: textOption(context, "tag"),
  };
}

/** Whoever runs commands sees everything, unless they want to know what somebody else would see. */
export function audienceOf(context: Context): Audience {
  const groups = groupsOf(textsOption(context, "group") ?? []);
  if (context.options["anybody"] !== true) return groups.length === 0 ? "everything" : groups;
  if (groups.length === 0) return ANYBODY;
  throw new AppError(
    "invalid_request",
    "--anybody is a reader in no group: leave out --group, or --anybody.",
  );
}
