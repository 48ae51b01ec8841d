import { pathTo } from "../router.ts";
import type { SiteView } from "../site-view.ts";
import type { Answer } from "./replies.ts";

/** The editor's address for an answer of a name, version and language. */
export const answerEditorPath = (
  { organizationName, domain }: SiteView,
  { name, version, language }: Pick<Answer, "name" | "version" | "language">,
) => pathTo(["dashboard", organizationName, domain, "answers", "edit"], { name, version, language });
