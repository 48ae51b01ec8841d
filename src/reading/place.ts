import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { isConnectorKind } from "./connectors/connectors.ts";
import {
  checkBranch,
  checkNamedSubfolder,
  type GitPlace,
  joinGitLocation,
  parseGitLocation,
  repositoryOf,
  splitGitLocation,
} from "./git-location.ts";
import { ADDABLE_KINDS, type SourceKind, type SourceOptions, type SourceSpec } from "./source.ts";

const MARK_CHARACTERS_MAX = 100;
const VARIABLE = /^[A-Za-z_]\w{0,199}$/;
/** Characters that break a line, and halves of a character. */
const NO_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What is at a path of this machine. */
export type LocalKind = "folder" | "file" | "nothing";

interface SourcePlace {
  kind: SourceKind;
  location: string;
}

export interface PlaceOptions {
  /** What a person says it is; guessed where they do not. */
  kind?: string | undefined;
  branch?: string | undefined;
  subfolder?: string | undefined;
  localKind: (path: string) => LocalKind;
}

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;

/** The place that a person at this machine means. `beforeLook` hears each path before it is looked at. */
export function resolvePlace(
  text: string,
  options: Omit<PlaceOptions, "localKind">,
  beforeLook: (path: string) => void = () => {},
): SourcePlace {
  const look = (path: string) => {
    beforeLook(path);
    return localKind(path);
  };
  if (!isAddress(text)) beforeLook(text);
  return readSourcePlace(isAddress(text) ? text : realPath(text), { ...options, localKind: look });
}

/** Whether a place is reached through the network, as far as a person can mean it. */
const isAddress = (text: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

/** The place itself, however it was named: a run of the same folder is a run of the same source. */
function realPath(text: string): string {
  try {
    return realpathSync(text);
  } catch {
    return resolve(text);
  }
}

function localKind(path: string): LocalKind {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  return found.isDirectory() ? "folder" : found.isFile() ? "file" : "nothing";
}

/** What kind of source a person means by a place, and how it is written down. */
export function readSourcePlace(text: string, options: PlaceOptions): SourcePlace {
  checkLine("place", text);
  refuseSecrets(text);
  const kind = options.kind === undefined ? guess(text, options.localKind) : named(options.kind);
  if (kind === "git") return { kind, location: readGitPlace(text, options) };
  checkPlace(text, kind, options.localKind);
  if (options.branch !== undefined || options.subfolder !== undefined)
    throw new AppError("invalid_request", "Only a git source has a branch and a subfolder.", {
      hint: "Say that it is one with --kind git.",
    });
  return { kind, location: text };
}

/** The part of a repository that is meant, all of which could be fetched as far as its names tell. */
function readGitPlace(text: string, { branch, subfolder, localKind }: PlaceOptions): string {
  const named = branch !== undefined || subfolder !== undefined;
  // A folder may have a # in its name; elsewhere a branch comes after it.
  const isHere = parseGitLocation(text).kind === "local";
  const isPlain = !text.includes("#") || (isHere && localKind(text) === "folder");
  const place: GitPlace = isPlain ? { repository: text, branch, subfolder } : splitGitLocation(text);
  if (!isPlain && (named || place.repository.includes("#")))
    throw new AppError("invalid_request", `${text} names a branch already, after the #.`, {
      hint: "Name the branch and the subfolder once, apart from the address: --branch main --subfolder docs",
    });
  const git = parseGitLocation(place.repository);
  if (git.kind === "local") checkLocal(place.repository, "folder", localKind);
  if (place.branch !== undefined) checkBranch(place.branch);
  const folder = place.subfolder === undefined ? "" : checkNamedSubfolder(place.subfolder);
  return joinGitLocation({ ...place, subfolder: folder === "" ? undefined : folder });
}

/** Refuses a name or password in an address: what is noted of a source is listed, logged, and in every backup. */
function refuseSecrets(text: string): void {
  const url = URL.parse(text);
  if (!url || (url.password === "" && (url.username === "" || !/^https?:$/.test(url.protocol)))) return;
  throw new AppError("invalid_request", `The address of ${url.host} has a name or a password in it.`, {
    hint: "Leave it out, and name the environment variable that holds it: --authorization NAME",
  });
}

/** Refuses a place that no run could read, before it is noted. */
function checkPlace(text: string, kind: SourceKind, localKind: PlaceOptions["localKind"]): void {
  const scheme = SCHEME.exec(text)?.[1];
  const isFetched = takesAddress(kind);
  if (scheme === undefined && kind !== "website" && !isConnectorKind(kind))
    checkLocal(text, kind === "folder" ? "folder or file" : "file", localKind);
  else if (scheme === undefined || !isFetched || !isWebAddress(text)) throw noSuchPlace(text, kind, scheme);
}

function noSuchPlace(text: string, kind: SourceKind, scheme: string | undefined): AppError {
  return new AppError(
    "invalid_request",
    scheme === undefined || takesAddress(kind)
      ? `${text} is no address that Docent reads: it begins with http:// or https://, of git with https:// or ssh://.`
      : `${text} is no ${kind} on this machine.`,
    { hint: "What is on this machine is named by its path, such as /srv/docs." },
  );
}

function checkLocal(
  path: string,
  what: "folder" | "file" | "folder or file",
  localKind: PlaceOptions["localKind"],
): void {
  const found = localKind(path);
  if (found === what || (what === "folder or file" && found !== "nothing")) return;
  if (found === "nothing") throw new AppError("not_found", `There is no folder or file ${path}.`);
  throw new AppError("invalid_request", `${path} is a ${found}, and no ${what}.`, {
    hint: "What is on this machine is named by its path, such as /srv/docs.",
  });
}

const takesAddress = (kind: SourceKind) => kind !== "folder" && kind !== "archive";

const isWebAddress = (text: string) => /^https?:/i.test(text) && Boolean(URL.parse(text)?.hostname);

function named(kind: string): SourceKind {
  const found = ADDABLE_KINDS.find((each) => each === kind);
  if (found) return found;
  throw new AppError("invalid_request", `${kind} is no kind of source.`, {
    hint: `The kinds are ${ADDABLE_KINDS.join(", ")}.`,
  });
}

function guess(text: string, localKind: PlaceOptions["localKind"]): SourceKind {
  const isRemote = SCHEME.test(text);
  if (/^(ssh|git):\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text)) return "git";
  const path = isRemote ? (URL.parse(text)?.pathname ?? text) : text;
  if (isRemote && /\.git\/?$/i.test(path)) return "git";
  if (/(^|[/\\])llms(-full)?\.txt$/i.test(path)) return "llms-txt";
  if (isRemote) return /(openapi|swagger)[^/]*\.(json|ya?ml)$/i.test(path) ? "openapi" : "website";
  return guessLocal(text, localKind(text));
}

function guessLocal(path: string, found: LocalKind): SourceKind {
  if (found === "folder") return "folder";
  if (found === "nothing") throw new AppError("not_found", `There is no folder or file ${path}.`);
  if (/\.(zip|xar|tar|tgz|tar\.\w+)$/i.test(path)) return "archive";
  if (/\.(json|ya?ml)$/i.test(path)) return "openapi";
  // Any other file is read as a folder that holds nothing else.
  return "folder";
}

/** The folder or file of this machine that a source is read from; undefined for what is fetched. */
export function localPathOf({ kind, location }: SourcePlace): string | undefined {
  if (kind === "demo" || kind === "website" || kind === "upload" || isConnectorKind(kind)) return undefined;
  if (kind !== "git") return takesAddress(kind) && isRemote(location) ? undefined : location;
  const repository = repositoryOf(location);
  return repository.kind === "local" ? repository.folder : undefined;
}

/** Whether a place is fetched from a web server. */
export const isRemote = (location: string) => /^https?:\/\//i.test(location);

const PUBLISHED_CHARACTERS_MAX = 1_000;

/** The address at which a site is published, as it is kept. Raises `invalid_request` for what is none. */
export function readPublishedAddress(written: string): string {
  const text = written.trim();
  checkLine("The published address", text);
  refuseSecrets(text);
  const url = isWebAddress(text) ? URL.parse(text) : null;
  if (url === null || url.search !== "" || url.hash !== "" || text.length > PUBLISHED_CHARACTERS_MAX)
    throw new AppError("invalid_request", `${text} is no address at which a site is published.`, {
      hint: "Name the address below which its pages are, such as https://docs.example.com/, or its sitemap.",
    });
  return url.href;
}

/** Raises `invalid_request` for what no run could do anything with, before it is noted. */
export function checkSource(spec: SourceSpec, { authorizationVariable }: SourceOptions): void {
  checkMark("version", spec.version);
  checkMark("language", spec.language);
  if (authorizationVariable === undefined) return;
  if (!VARIABLE.test(authorizationVariable))
    throw new AppError("invalid_request", `${JSON.stringify(authorizationVariable)} names no variable.`, {
      hint: "Name the environment variable that holds what the source signs in with, and not what is in it.",
    });
  const why = whyNoCredential(spec);
  if (why === undefined) return;
  throw new AppError("invalid_request", `${spec.location} ${why}`, {
    hint: "Leave the variable out. It is for what is fetched from an http or https address.",
  });
}

/** Refuses a text that is shown and compared as one line. */
function checkLine(what: string, text: string): void {
  if (NO_LINE.test(text))
    throw new AppError("invalid_request", `${what}: ${JSON.stringify(text)} is not one line of text.`);
}

function checkMark(what: "version" | "language", mark: string): void {
  checkLine(what, mark);
  if (mark.length > MARK_CHARACTERS_MAX || mark !== mark.trim())
    throw new AppError(
      "invalid_request",
      `${what}: ${JSON.stringify(mark.slice(0, MARK_CHARACTERS_MAX))} is longer than ${MARK_CHARACTERS_MAX} characters, or has spaces around it.`,
    );
}

/** Why a source never signs in with what a variable holds; undefined where it may. */
function whyNoCredential({ kind, location }: SourceSpec): string | undefined {
  const isRead = "is read on this machine, and signs in nowhere.";
  if (kind !== "git") return isRemote(location) ? undefined : isRead;
  const git = repositoryOf(location);
  if (git.kind === "local") return isRead;
  return git.protocol === "ssh"
    ? "is reached over ssh, with the keys of the user that Docent runs as."
    : undefined;
}
