import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Parts } from "../app.ts";
import type { SourceSpec } from "../ingest/source-store.ts";
import { type Context, textOption } from "./command.ts";

/** The options that say what and where a source is. */
export const PLACE_OPTIONS = {
  kind: { type: "string" },
  branch: { type: "string" },
  subfolder: { type: "string" },
  version: { type: "string" },
  language: { type: "string" },
} as const;

export const PLACE_OPTION_HELP = {
  kind: "folder, website, llms-txt, git, archive or openapi; guessed from the place otherwise",
  branch: "of git: the branch or tag; the repository's own choice otherwise",
  subfolder: "of git: the folder that holds the docs",
  version: "marks the pages as this version of the docs; several stand side by side",
  language: "marks the pages as this language, such as de; several stand side by side",
};

/** The source that a person names. */
export function sourceSpecOf(context: Context, parts: Parts, siteId: number, text: string): SourceSpec {
  const place = parts.readPlace(isAddress(text) ? text : realPath(text), {
    kind: textOption(context, "kind"),
    branch: textOption(context, "branch"),
    subfolder: textOption(context, "subfolder"),
    localKind,
  });
  return {
    siteId,
    ...place,
    version: textOption(context, "version") ?? "",
    language: textOption(context, "language") ?? "",
  };
}

const isAddress = (text: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

/** The place itself, however it was named: a run of the same folder is a run of the same source. */
function realPath(text: string): string {
  try {
    return realpathSync(text);
  } catch {
    return resolve(text);
  }
}

function localKind(path: string) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  return found.isDirectory() ? "folder" : "file";
}
