import type { Skipped, SourceItem } from "@docent/reading/source-reader";
import type { KnownPage, LedgerEntry, StagedPage } from "../stores.ts";

/** What is said of a page beside the decision itself. */
export type Remark = Partial<Pick<LedgerEntry, "reason" | "detail" | "passages" | "contentHash">>;

/** Where the way of a page ends: nothing of it is taken, the index has it already, or it is new. */
export type Verdict =
  | { is: "skipped"; item: Skipped }
  | { is: "held"; item: SourceItem; held: KnownPage; remark: Remark; fault?: string | undefined }
  | { is: "new"; item: SourceItem; page: StagedPage; remark: Remark; fault?: string | undefined };

/** Whether the way ends here; otherwise a step has given what the next one needs. */
export const isVerdict = <T extends object>(step: T | Verdict): step is Verdict => "is" in step;

/** Nothing is taken of what the source has there. */
export const skipped = (item: Skipped): Verdict => ({ is: "skipped", item });
