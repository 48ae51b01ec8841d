import { encodePath } from "../pages/page-path.ts";
import { splitGitLocation } from "./git-location.ts";
import type { PageSource } from "./source.ts";

/**
 * Where people change the file that a page is made from, on a host whose addresses are known. Undefined elsewhere, and
 * for what not everybody may see: the address would tell its name.
 */
export function editAddress({ kind, location, hasCredential }: PageSource, file: string): string | undefined {
  if (kind !== "git" || hasCredential) return undefined;
  const { repository, branch, subfolder } = splitGitLocation(location);
  const url = URL.parse(repository);
  if (url?.protocol !== "https:") return undefined;
  const root = `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\.git$/, "")}`;
  const path = encodePath(subfolder ? `${subfolder}/${file}` : file);
  const place = placeOn(url.hostname, branch);
  return place === undefined ? undefined : `${root}/${place}/${path}`;
}

/** Without a branch, the page that shows the file: it leads on to changing it. */
function placeOn(host: string, branch: string | undefined): string | undefined {
  const named = branch === undefined ? undefined : encodePath(branch);
  if (host === "github.com") return named === undefined ? "blob/HEAD" : `edit/${named}`;
  if (host === "gitlab.com" || host.startsWith("gitlab."))
    return named === undefined ? "-/blob/HEAD" : `-/edit/${named}`;
  if (host === "codeberg.org") return named === undefined ? undefined : `_edit/${named}`;
  return undefined;
}
