import { AppError, type ErrorCode } from "@docent/kernel/errors";
import { maskCredentials } from "../../git-location.ts";

interface Fault {
  pattern: RegExp;
  code: ErrorCode;
  says: string;
  hint: string;
}

/** What git complains of, and what to do about it. The first that matches counts. */
const FAULTS: readonly Fault[] = [
  {
    pattern: /authentication failed|could not read (username|password)|permission denied|error: 40[13]/i,
    code: "forbidden",
    says: "did not let Docent in",
    hint: "Name the credential that may read the repository; over ssh, a key of the user that Docent runs as.",
  },
  {
    pattern: /host key verification failed/i,
    code: "forbidden",
    says: "is on a host whose key is not known",
    hint: "Add the host's key to known_hosts of the user that Docent runs as.",
  },
  {
    pattern: /repository .*not found|does not (exist|appear to be a git repository)|error: 404/i,
    code: "not_found",
    says: "is no repository that Docent may see",
    hint: "Check the address; some servers say the same where a credential is missing.",
  },
  {
    pattern: /unable to update url base from redirection|error: 30\d|redirect/i,
    code: "unavailable",
    says: "has moved",
    hint: "Docent follows no redirect of a repository: name the address that it has now.",
  },
];

const UNREACHABLE: Omit<Fault, "pattern"> = {
  code: "unavailable",
  says: "could not be fetched",
  hint: "Readers still see what was there before. Check the address and the network, then run this again.",
};

/** Says why a repository could not be fetched. */
export function fetchFault(url: string, branch: string | undefined, complaint: string): AppError {
  if (/couldn't find remote ref/i.test(complaint)) return noSuchBranch(url, branch, complaint);
  const { code, says, hint } = FAULTS.find(({ pattern }) => pattern.test(complaint)) ?? UNREACHABLE;
  return new AppError(
    code,
    `${maskCredentials(url)} ${says}. git says: ${withoutAddresses(complaint, url)}`,
    {
      hint,
      cause: new Error(complaint),
    },
  );
}

/** Of what git says, what a name stands for inside a network is the operator's to know: it is in the log. */
const withoutAddresses = (complaint: string, url: string) =>
  complaint.replace(ADDRESS, (address) => (url.includes(address) ? address : "…"));
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])[\da-f]{0,4}:(?:[\da-f]{0,4}:){1,6}[\da-f.]*/gi;

/** Says that a repository does not have a branch, or nothing at all. */
export function noSuchBranch(place: string, branch: string | undefined, complaint: string): AppError {
  const what = branch === undefined ? "no commit yet" : `no branch or tag ${branch}`;
  return new AppError("not_found", `${maskCredentials(place)} has ${what}.`, {
    hint: "Name a branch that is there. What was ingested before is still there.",
    cause: new Error(complaint),
  });
}

/** Whether it is the mirror that is broken, as after a crash, and not what it is a mirror of. */
export const isDamage = (complaint: string) =>
  /\.lock'|unable to create|not a git repository: '|bad (object|config)|corrupt|loose object|is empty|unresolved deltas|missing (blob|tree|object)|bad shallow|shallow file|invalid gitfile/i.test(
    complaint,
  );

/** Says that there is no git, or one that cannot do what is needed. */
export const noGit = () =>
  new AppError("unavailable", "There is no git on this machine's PATH.", {
    hint: "Install git 2.31 or newer, or carry the docs over as a folder or an archive.",
  });
