import { AppError } from "../../../errors.ts";
import { isSkipped, type Skipped, type SourceItem } from "../../source-reader.ts";

/** What a server said no to while a site was read. */
export interface Refusals {
  note(url: string, status: number): void;
  /** The listing; it ends in an AppError where nothing of it is a page and something was refused. */
  orThrow(
    listing: AsyncIterable<SourceItem | Skipped>,
  ): AsyncGenerator<SourceItem | Skipped, void, undefined>;
}

export function createRefusals(): Refusals {
  let first: { url: string; status: number } | undefined;
  return {
    note(url, status) {
      first ??= { url, status };
    },
    async *orThrow(listing) {
      let hasPages = false;
      for await (const item of listing) {
        hasPages ||= !isSkipped(item);
        yield item;
      }
      if (!hasPages && first !== undefined) throw refused(first.url, first.status);
    },
  };
}

/** Whether a status says that this request was understood and is not answered: it says nothing of what is there. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![404, 410, 429].includes(status);
}

/** The error that ends a run because its server says no. */
export function refused(what: string, status: number): AppError {
  return new AppError("forbidden", `${what} could not be read: its server refuses it (${status}).`, {
    hint: "Readers still see what was there before. If it wants a sign-in, name the environment variable that holds a valid one with --authorization.",
  });
}
