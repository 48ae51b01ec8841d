import type { Skipped } from "../../source-reader.ts";
import {
  isConfigurationName,
  isIgnoreFile,
  isPrivateName,
  isRuleFile,
  mayBeAnything,
  roleOf,
  type TreeFile,
} from "../files/files.ts";
import type { ArchiveEntry } from "./entry.ts";

const NAME_CHARACTERS_MAX = 4_096;

/** A file of an archive, with its entry's place in the archive's list. */
export interface ArchiveFile extends TreeFile {
  index: number;
}

/** What an archive holds, below a folder that is common to all. */
interface ArchiveTree {
  /** What could be pages, and the ignore files. */
  files: ArchiveFile[];
  /** What pages may take something from. */
  others: ArchiveFile[];
  /** What says whom pages are for. */
  rules: RuleEntry[];
  skipped: Skipped[];
}

/** The rule of a folder, and why it cannot be read, where it cannot. */
interface RuleEntry extends ArchiveFile {
  refusal?: string | undefined;
}

export function archiveTree(entries: ArchiveEntry[], found: string): ArchiveTree {
  const skipped: Skipped[] = [];
  const files = new Map<string, ArchiveFile>();
  const others = new Map<string, ArchiveFile>();
  const rules: RuleEntry[] = [];
  const names = entries.map(({ name }) => safeName(name));
  const top = commonFolder(
    entries.flatMap(({ kind }, index) => (kind === "folder" ? [] : (names[index] ?? []))),
  );
  const skip = (location: string, reason: Skipped["reason"], detail: string) =>
    skipped.push({ location, found, reason, detail });

  for (const [index, { name, kind, sizeBytes, refusal }] of entries.entries()) {
    const safe = names[index];
    if (kind === "folder") continue;
    if (safe === undefined) {
      skip(printable(name), "outside", "has a name that leads out of the archive");
      continue;
    }
    const location = safe.slice(top.length);
    if (!isOfInterest(location)) continue;
    if (isRuleFile(location)) {
      const isFile = kind === "file";
      rules.push({ location, sizeBytes, index, refusal: isFile ? refusal : "it is no plain file" });
    } else if (!isForPages(location)) {
      if (kind === "file" && refusal === undefined) others.set(location, { location, sizeBytes, index });
    } else if (kind !== "file" && mayBeAnything(location)) continue;
    else if (kind === "link") skip(location, "outside", "is a link, which is not followed in an archive");
    else if (kind === "other") skip(location, "refused", "is no plain file");
    else if (refusal !== undefined) skip(location, "refused", refusal);
    else {
      // Unpacked, the later of two entries would lie over the earlier one.
      const earlier = files.get(location);
      if (earlier)
        skip(`${location} (entry ${earlier.index + 1})`, "duplicate", "is in the archive again, further on");
      files.set(location, { location, sizeBytes, index });
    }
  }
  return { files: [...files.values()], others: [...others.values()], rules, skipped };
}

/** A name as a path below the archive's root; undefined where it would lead somewhere else. */
function safeName(name: string): string | undefined {
  const path = name.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || /\p{Cc}/u.test(path)) return undefined;
  if (path === "" || path.length > NAME_CHARACTERS_MAX) return undefined;
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.includes("..") ? undefined : segments.join("/");
}

/** Whether a file is a page, says which files are none, or is one that pages may take something from. */
function isOfInterest(location: string): boolean {
  const segments = location.split("/");
  const folders = isIgnoreFile(location) ? segments.slice(0, -1) : segments;
  return !folders.some((name) => isPrivateName(name) && !isConfigurationName(name));
}

/** Whether a page can be made of a file, or it says which are left out. */
const isForPages = (location: string) =>
  isIgnoreFile(location) ||
  (!location.split("/").some(isConfigurationName) && roleOf(location).kind !== "other");

/** The folder with its slash that everything for readers is in; "" where there is none. */
function commonFolder(names: string[]): string {
  const shown = names.filter((name) => !isPrivateName(name.split("/", 1)[0] ?? ""));
  const [first = ""] = shown;
  const folder = first.slice(0, first.indexOf("/") + 1);
  return folder !== "" && shown.every((name) => name.startsWith(folder)) ? folder : "";
}

const printable = (name: string) => name.replace(/\p{Cc}/gu, "�").slice(0, 200);
