import { AppError } from "@docent/kernel/errors";
import { encodePath } from "./page/page-path.ts";
import type { PageSource } from "./source.ts";

const SCP_LIKE = /^(?:([\w.-]+)@)?([\w.-]+|\[[\da-f:.]+\]):(?!\/\/)(.+)$/i;
const DRIVE = /^[a-z]:[\\/]/i;
/** What no name of a branch or tag has anywhere: git check-ref-format says so. */
const NO_NAME = /[\s~^:?*[\\\p{Cc}\p{Cs}]|\.\.|@\{|\/\/|^[-/]|[/.]$|^@$/u;
/** What no part of one has, between slashes. */
const NO_PART = /^\.|\.lock$/;
const BRANCH_CHARACTERS_MAX = 250;

/** Where a repository is. */
export type GitLocation =
  | { kind: "local"; folder: string }
  | { kind: "remote"; protocol: "https" | "ssh"; url: string; host: string };

/** What a repository's location means. Only https and ssh leave the machine, and no secret may stand in an address. */
export function parseGitLocation(location: string): GitLocation {
  if (location === "" || location.startsWith("-") || /\p{Cc}/u.test(location))
    throw refused("A repository's location is an https or ssh address, or a folder.");
  const scheme = /^([a-z][a-z\d+.-]*):(?::|\/\/)/i.exec(location)?.[1]?.toLowerCase();
  if (scheme !== undefined) return parseAddress(location, scheme);
  const host = DRIVE.test(location) ? undefined : SCP_LIKE.exec(location)?.[2];
  // As git has it: a slash before the colon makes it a path.
  if (host === undefined || host.startsWith("-") || /^[^:]*\//.test(location))
    return { kind: "local", folder: location };
  return { kind: "remote", protocol: "ssh", url: location, host };
}

function parseAddress(location: string, scheme: string): GitLocation {
  const url = URL.parse(location);
  if ((scheme !== "https" && scheme !== "ssh") || url === null || url.hostname === "")
    throw refused(`${maskCredentials(location)} cannot be cloned: Docent uses git over https and ssh alone.`);
  if (url.password !== "" || (scheme === "https" && url.username !== ""))
    throw refused("A repository's address must not hold a user name or a password.", {
      hint: "Keep the secret in an environment variable or a file, and name that as the source's credential.",
    });
  if (url.hostname.startsWith("-") || url.username.startsWith("-"))
    throw refused("A repository's address must not begin its host or user with a hyphen.");
  return { kind: "remote", protocol: scheme, url: location, host: url.hostname };
}

/** A branch or tag as it may stand in a command. */
export function checkBranch(branch: string): string {
  const isShort = branch !== "" && branch.length <= BRANCH_CHARACTERS_MAX;
  const isName = isShort && !NO_NAME.test(branch) && !branch.split("/").some((part) => NO_PART.test(part));
  if (!isName)
    throw refused(`${JSON.stringify(branch)} is no name of a branch or tag.`, {
      hint: "Write it as git branch and git tag list it, such as main or release/2.x.",
    });
  return branch;
}

/** A subfolder as somebody names it: what could mean another place than it seems to is not guessed at. */
export function checkNamedSubfolder(subfolder: string): string {
  const isPlain = !/^\/|\\|^[a-z]:|\/\/|[\p{Cs}]/iu.test(subfolder);
  if (!isPlain)
    throw refused(`${JSON.stringify(subfolder)} is no folder below the repository's root.`, {
      hint: "Write the way to it from the root, with slashes between and none before it, such as docs/en.",
    });
  return checkSubfolder(subfolder);
}

/** A folder below a repository's root, with slashes and none around it. */
export function checkSubfolder(subfolder: string): string {
  const plain = subfolder.replaceAll("\\", "/").replace(/^(\.?\/)+|\/+$|^\.$/g, "");
  const isBelow = plain.split("/").every((name) => name !== ".." && name !== "." && !/\p{Cc}/u.test(name));
  if (!isBelow) throw refused(`${JSON.stringify(subfolder)} is no folder below the repository's root.`);
  return plain;
}

/** A text in which no address shows who signs in, or with what. */
export const maskCredentials = (text: string) => text.replace(/(\w:\/\/)[^\s/@]+@/g, "$1…@");

const refused = (message: string, options?: { hint: string }) =>
  new AppError("invalid_request", message, options);

/** What part of a repository is read. */
export interface GitPlace {
  repository: string;
  branch?: string | undefined;
  subfolder?: string | undefined;
}

/** One text for a part of a repository, so that two parts are two sources. */
export function joinGitLocation({ repository, branch, subfolder }: GitPlace): string {
  const part = `${branch ?? ""}${subfolder === undefined ? "" : `:${subfolder}`}`;
  return part === "" && !repository.includes("#") ? repository : `${repository}#${escapePart(part)}`;
}

/** The part of a repository that a location names. */
export function splitGitLocation(location: string): GitPlace {
  const at = location.lastIndexOf("#");
  if (at < 0) return { repository: location };
  const [branch = "", subfolder] = unescapePart(location.slice(at + 1)).split(/:(.*)/s);
  return { repository: location.slice(0, at), branch: branch || undefined, subfolder };
}

/** Where the repository is that a source's location names. */
export const repositoryOf = (location: string): GitLocation =>
  parseGitLocation(splitGitLocation(location).repository);

/** Writes a part of a repository without a #, so that the last one begins it. */
const escapePart = (part: string) => part.replace(/%(?=23|25)/g, "%25").replaceAll("#", "%23");
const unescapePart = (part: string) => part.replace(/%(23|25)/g, (_, code) => (code === "23" ? "#" : "%"));

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
