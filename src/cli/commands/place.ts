import { CONNECTOR_KINDS } from "../../connectors/connectors.ts";
import { AppError } from "../../errors.ts";
import { resolvePlace } from "../../ingest/ingest.ts";
import type { SourceSpec } from "../../ingest/stores.ts";
import { type Context, textOption } from "../command.ts";
import { isStandard } from "../files.ts";

/** The options that say what a source is and where. */
export const PLACE_OPTIONS = {
  kind: { type: "string" },
  branch: { type: "string" },
  subfolder: { type: "string" },
  version: { type: "string" },
  language: { type: "string" },
} as const;

export const PLACE_OPTION_HELP = {
  kind: `folder, website, llms-txt, git, archive or openapi, guessed from the place otherwise; or what is not guessed, a wiki or tracker: ${CONNECTOR_KINDS.join(", ")}`,
  branch: "for git: the branch or tag; the repository's default otherwise",
  subfolder: "for git: the folder that holds the docs",
  version: "marks the pages as this version of the docs; a site can have several",
  language: "marks the pages as this language, such as de; a site can have several",
};

/** The source that a person named. */
export function sourceSpecOf(context: Context, siteId: number, text: string): SourceSpec {
  if (isStandard(text))
    throw new AppError(
      "invalid_request",
      "A source is read again and again, which the standard input cannot be.",
      { hint: "Keep it in a file or folder, and name that." },
    );
  const place = resolvePlace(text, {
    kind: textOption(context, "kind"),
    branch: textOption(context, "branch"),
    subfolder: textOption(context, "subfolder"),
  });
  return {
    siteId,
    ...place,
    version: textOption(context, "version") ?? "",
    language: textOption(context, "language") ?? "",
  };
}
