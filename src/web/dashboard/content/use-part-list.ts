import { useEffect, useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, toApiError } from "../api-error.ts";
import { useResource } from "../use-resource.ts";

/** A list that comes in parts. */
interface Part {
  nextCursor: string | null;
}

/** What is known of a list that comes in parts. */
export interface PartList<Entry> {
  state: "loading" | "ready" | "failed";
  error: ApiError | undefined;
  entries: Entry[];
  hasMore: boolean;
  isReading: boolean;
  /** Reads the next part. */
  more(): void;
  reload(): void;
}

/** Reads a list a part at a time. Another path begins it anew. */
export function usePartList<Reply extends Part, Entry>(
  path: string,
  entriesOf: (reply: Reply) => Entry[],
): PartList<Entry> {
  const api = useApi();
  const first = useResource<Reply>(path);
  const [further, setFurther] = useState<{ of: Reply | undefined; parts: Reply[] }>({
    of: undefined,
    parts: [],
  });
  const [isReading, setIsReading] = useState(false);
  const [error, setError] = useState<ApiError>();
  const head = first.data;
  // Parts belong to the first one that they were read behind.
  const parts = further.of === head ? further.parts : [];
  const last = parts.at(-1) ?? head;

  // biome-ignore lint/correctness/useExhaustiveDependencies: an error belongs to the list that it was met in.
  useEffect(() => setError(undefined), [path]);

  async function more(): Promise<void> {
    if (last?.nextCursor == null || isReading || head === undefined) return;
    setIsReading(true);
    try {
      const separator = path.includes("?") ? "&" : "?";
      const next = await api.get<Reply>(`${path}${separator}cursor=${encodeURIComponent(last.nextCursor)}`);
      setFurther({ of: head, parts: [...parts, next] });
      setError(undefined);
    } catch (caught) {
      setError(toApiError(caught));
    } finally {
      setIsReading(false);
    }
  }

  return {
    state: first.state,
    error: first.error ?? error,
    entries: head === undefined ? [] : [head, ...parts].flatMap(entriesOf),
    hasMore: last?.nextCursor != null,
    isReading,
    more: () => void more(),
    reload: () => void first.reload(),
  };
}
