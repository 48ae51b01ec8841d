import { decodePercent } from "@docent/kernel/text/decode-percent";
import { idOfShort } from "../../generators/confluence/confluence.ts";

/** What an address of a Confluence names: a space, a page by its id or its title, or (empty) all of it. */
export interface Named {
  /** The key of the space. */
  space?: string | undefined;
  /** The id of the page. */
  id?: string | undefined;
  title?: string | undefined;
}

/** What stands first below the place where a Confluence is. */
const FIRST =
  /^(?:display|spaces|pages|x|label|collector|rest|api|plugins|people|home|download|search|blogs|\w+\.action)$/;

/** The paths at which a Confluence may be to which an address belongs, the likeliest first; "" is the host's own. */
export function placesOf({ pathname, hostname }: URL): string[] {
  const parts = pathname.split("/").filter((part) => part !== "");
  if (isAtlassianCloud(hostname)) return [pathFrom([...gatewayOf(hostname, parts), "wiki"])];
  const first = parts.findIndex((part) => FIRST.test(part));
  if (first >= 0) return [pathFrom(parts.slice(0, first))];
  return parts.length === 0 ? ["", "/confluence", "/wiki"] : [pathFrom(parts)];
}

const pathFrom = (parts: readonly string[]) => parts.map((part) => `/${part}`).join("");

export const isAtlassianCloud = (hostname: string) =>
  /(?:^|\.)(?:atlassian\.net|jira\.com)$|^api\.atlassian\.com$/.test(hostname);

/** Tokens with scopes are taken at Atlassian's own host alone, where a site is one of many. */
const gatewayOf = (hostname: string, parts: readonly string[]) =>
  hostname === "api.atlassian.com" ? parts.slice(0, 3) : [];

/** Reads an address below a place; undefined for one that is not below it, or that names nothing to read. */
export function readNamed(url: URL, place: string): Named | undefined {
  if (!`${url.pathname}/`.startsWith(`${place}/`)) return undefined;
  const [kind = "", ...parts] = url.pathname
    .slice(place.length)
    .split("/")
    .filter((part) => part !== "")
    .map(plain);
  const query = url.searchParams;
  if (kind === "spaces" || kind === "pages") return namedBelow(kind, parts, query);
  if (kind === "x") return SHORT.test(parts[0] ?? "") ? { id: idOfShort(parts[0] ?? "") } : undefined;
  if (kind === "display") return { space: parts[0], title: parts.length > 1 ? parts.at(-1) : undefined };
  if (kind === "label") return { space: parts[0] };
  const key = query.get("key");
  if (key !== null) return { space: key };
  return WHOLE.test(kind) ? {} : undefined;
}

const SHORT = /^[\w-]{1,11}$/;
/** What shows no page, and nothing of one: the dashboard, a search. */
const WHOLE = /^(?:|home|search|rest|api|\w+\.action)$/;

function namedBelow(
  kind: "spaces" | "pages",
  parts: readonly string[],
  query: URLSearchParams,
): Named | undefined {
  const [first = "", ...rest] = parts;
  if (first.endsWith(".action")) {
    const id = idIn(query.get("pageId"));
    const space = query.get("key") ?? query.get("spaceKey") ?? undefined;
    if (id !== undefined || space === undefined) return id === undefined ? undefined : { id };
    return { space, title: query.get("title") ?? undefined };
  }
  const id = idIn(first);
  if (kind === "pages") return id === undefined ? undefined : { id };
  return { space: first === "" ? undefined : first, id: idBelow(rest) };
}

/** `pages/123/Title`, `pages/edit-v2/123`, `blog/2026/01/31/123/Title`, `folder/123`. */
function idBelow([kind, ...parts]: readonly string[]): string | undefined {
  if (kind === "pages") return idIn(parts[0]) ?? idIn(parts[1]);
  return kind === "blog" ? (idIn(parts[3]) ?? idIn(parts[0])) : idIn(parts[0]);
}

const idIn = (text: string | null | undefined) =>
  /^\d{1,20}$/.test(text ?? "") ? (text ?? undefined) : undefined;

/** A part of a path as it was meant: Confluence writes a space as a plus. */
const plain = (part: string) => decodePercent(part.replaceAll("+", " "));
