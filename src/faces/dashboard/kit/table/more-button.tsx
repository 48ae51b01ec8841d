import type { PartList } from "../../use-paged-list.ts";
import { Button } from "../buttons/button.tsx";

/** Reads on where a list has more. */
export function MoreButton({ list }: { list: Pick<PartList<unknown>, "hasMore" | "isReading" | "more"> }) {
  if (!list.hasMore) return null;
  return (
    <div className="table-more">
      <Button busy={list.isReading} onClick={list.more}>
        Show more
      </Button>
    </div>
  );
}
