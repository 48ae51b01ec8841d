import { AppError } from "../errors.ts";

// What is refused, in whichever storage.

export function taken(what: "organization" | "site" | "member", name: string, cause: unknown): AppError {
  const article = what === "organization" ? "an" : "a";
  return new AppError("conflict", `There is ${article} ${what} ${name} already.`, { cause });
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

export function beingIngested(location: string): AppError {
  return new AppError("conflict", `${location} is being ingested already.`, {
    hint: "Wait until that run ends, then run this again: it picks up what has changed since.",
  });
}
