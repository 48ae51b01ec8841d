import { AppError } from "@docent/kernel/errors";
import type { GitLocation } from "../../git-location.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** What lets git in. The secret is a value, which the caller took from where the source's credential points. */
export interface GitCredential {
  username: string;
  secret: string;
}

/** What git needs of the machine: where programs, proxies and certificates are, and over ssh its keys. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|XDG_CONFIG_HOME|SSH_AUTH_SOCK|GIT_SSH_COMMAND|GIT_SSL_CAINFO|GIT_SSL_CAPATH|SSL_CERT_FILE|SSL_CERT_DIR|(https?|all|no)_proxy|SYSTEMROOT|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|PATHEXT|COMSPEC)$/i;

/** Where the settings of the user that Docent runs as are, and what that user signs in with. */
const OF_USER = /^(HOME|USERPROFILE|XDG_CONFIG_HOME|APPDATA|LOCALAPPDATA)$/i;

const SSH = "ssh -oBatchMode=yes -oConnectTimeout=20";

/** What git is told besides. */
interface GitAccess {
  /** An empty folder, or one that is not there, which is the user's own for git over https. */
  home?: string | undefined;
  credential?: GitCredential | undefined;
  /** Settings that are for this run alone. */
  settings?: [name: string, value: string][];
  /** A file of the certificates that are trusted. */
  authorities?: string | undefined;
}

/** The environment in which git runs: nothing asks, nothing is taken from the system's own settings of git. */
export function gitEnvironment(
  given: GitEnvironment,
  location: GitLocation,
  { home, credential, settings = [], authorities }: GitAccess = {},
): Record<string, string> {
  // Anybody who manages a site may name any address over https: what the server's own user can sign in to elsewhere, by
  // a .netrc, a credential helper or a header in its settings, is none of theirs.
  const isOwn = location.kind === "remote" && location.protocol === "https";
  const passedOn = Object.entries(given).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && PASSED_ON.test(entry[0]) && !(isOwn && OF_USER.test(entry[0])),
  );
  return {
    GIT_SSH_COMMAND: SSH,
    ...Object.fromEntries(passedOn),
    ...(isOwn && home !== undefined ? { HOME: home, USERPROFILE: home } : {}),
    ...(authorities === undefined ? {} : { GIT_SSL_CAINFO: authorities }),
    // What is on this machine is read where it is: no transport is needed for it.
    GIT_ALLOW_PROTOCOL: location.kind === "local" ? "none" : "https:ssh",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GCM_INTERACTIVE: "never",
    LC_ALL: "C",
    ...asEnvironment([...settings, ...(credential ? [signIn(location, credential)] : [])]),
  };
}

/** Hands settings over in the environment, and not among the arguments, which every user of the machine may read. */
function asEnvironment(settings: [name: string, value: string][]): Record<string, string> {
  const entries = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return settings.length === 0
    ? {}
    : { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) };
}

const basicOf = ({ username, secret }: GitCredential) =>
  Buffer.from(`${username}:${secret}`).toString("base64");

/** The texts that no message may hold, however a server writes them. */
export function secretsOf(credential: GitCredential | undefined): string[] {
  if (credential === undefined) return [];
  return [credential.secret, encodeURIComponent(credential.secret), basicOf(credential)];
}

function signIn(location: GitLocation, { username, secret }: GitCredential): [name: string, value: string] {
  if (location.kind !== "remote" || location.protocol !== "https")
    throw new AppError("invalid_request", "A user name and secret are for repositories over https.", {
      hint: "Over ssh git uses the keys of the user that Docent runs as.",
    });
  const basic = basicOf({ username, secret });
  return [`http.${new URL(location.url).origin}/.extraHeader`, `Authorization: Basic ${basic}`];
}
