import { isRecord } from "../text/plain-data.ts";

/** What site builders call a page that search must not show, where `true` says so. */
const HIDES_WHEN_TRUE = ["hidden", "noindex", "draft", "unlisted", "search_exclude", "exclude_from_search"];
/** The same, where `false` says so. */
const HIDES_WHEN_FALSE = ["searchable", "search", "pagefind", "published", "indexed"];

/** Whether a page's front matter asks that it is not found: hidden, noindex, draft, `searchable: false` and their like. */
export function isHidden(data: Record<string, unknown>): boolean {
  const search = data["search"];
  return (
    HIDES_WHEN_TRUE.some((name) => says(data[name], true)) ||
    HIDES_WHEN_FALSE.some((name) => says(data[name], false)) ||
    (isRecord(search) && says(search["exclude"], true)) ||
    (typeof data["robots"] === "string" && /\bnoindex\b/i.test(data["robots"]))
  );
}

function says(value: unknown, wanted: boolean): boolean {
  return value === wanted || (typeof value === "string" && value.trim().toLowerCase() === String(wanted));
}
