import { AppError } from "@docent/kernel/errors";

// What is refused, in whichever storage.

export function taken(what: "organization" | "site" | "member", name: string, cause: unknown): AppError {
  const article = what === "organization" ? "an" : "a";
  const message = `There is ${article} ${what} ${name} already.`;
  // What people mean who invite somebody once more.
  const hint = `Another link for them: docent members link "${name}"`;
  return new AppError("conflict", message, { cause, ...(what === "member" ? { hint } : {}) });
}

export function generationGone(number: number): AppError {
  return new AppError("not_found", `Generation ${number} is not kept.`, {
    hint: "docent generations list <domain>",
  });
}

/** Nothing goes back while something is read. */
export function beingRead(location: string): AppError {
  return new AppError("conflict", `${location} is being read into this site.`, {
    hint: "Wait until that run has ended, then go back.",
  });
}

/** A segment that was to be shown is gone, or one that it was to replace: another server, which has the index now, took it away. */
export function indexChanged(): AppError {
  return new AppError("conflict", "Another server works on the keyword index of this site now.", {
    hint: "This one lost its connection to the database meanwhile. What the other one makes is used.",
  });
}

export function beingIngested(location: string): AppError {
  return new AppError("conflict", `${location} is being ingested already.`, {
    hint: "Wait until that run ends, then run this again: it picks up what has changed since.",
  });
}
