import { type GitLocation, parseGitLocation } from "./sources/git/location.ts";

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

/** What stands after the last # has none of its own. */
const escapePart = (part: string) => part.replace(/%(?=23|25)/g, "%25").replaceAll("#", "%23");
const unescapePart = (part: string) => part.replace(/%(23|25)/g, (_, code) => (code === "23" ? "#" : "%"));
