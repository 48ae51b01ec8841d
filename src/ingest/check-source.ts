import { AppError } from "../errors.ts";
import { repositoryOf } from "./git-location.ts";
import type { SourceOptions, SourceSpec } from "./stores.ts";

const MARK_CHARACTERS_MAX = 100;
const VARIABLE = /^[A-Za-z_]\w{0,199}$/;
/** What breaks a line, or is no character of its own. */
const NO_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

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
export function checkLine(what: string, text: string): void {
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
  if (kind !== "git") return /^https?:\/\//i.test(location) ? undefined : isRead;
  const git = repositoryOf(location);
  if (git.kind === "local") return isRead;
  return git.protocol === "ssh"
    ? "is reached over ssh, with the keys of the user that Docent runs as."
    : undefined;
}
