import { useCallback, useEffect, useRef, useState } from "react";
import { isAbort, useApi } from "./api.ts";
import { type ApiError, toApiError } from "./api-error.ts";

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
  /** Reads anew as much as is shown. */
  reload(): void;
  /** Tries once more what failed. */
  retry(): void;
}

/** The parts that were read, and what of them could not be. */
interface Read<Reply> {
  path: string;
  parts: readonly Reply[];
  failed?: { error: ApiError; known: readonly Reply[]; count: number };
}

/** Reads a list a part at a time. Another path begins it anew. */
export function usePartList<Reply extends Part, Entry>(
  path: string,
  entriesOf: (reply: Reply) => Entry[],
): PartList<Entry> {
  const api = useApi();
  const [read, setRead] = useState<Read<Reply>>();
  const [isReading, setIsReading] = useState(false);
  const running = useRef<AbortController>(undefined);
  const { parts = [], failed } = read?.path === path ? read : {};
  const last = parts.at(-1);

  /** Reads behind the parts that are known, until there are so many. */
  const readOn = useCallback(
    async (known: readonly Reply[], count: number) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setIsReading(true);
      const next = [...known];
      try {
        while (next.length < count && next.at(-1)?.nextCursor !== null) {
          const address = withCursor(path, next.at(-1)?.nextCursor ?? "");
          next.push(await api.get<Reply>(address, { signal: controller.signal }));
        }
        if (running.current === controller) setRead({ path, parts: next });
      } catch (caught) {
        if (running.current !== controller || isAbort(caught)) return;
        const failed = { error: toApiError(caught), known, count };
        setRead((before) => ({ path, parts: before?.path === path ? before.parts : [], failed }));
      } finally {
        if (running.current === controller) setIsReading(false);
      }
    },
    [api, path],
  );

  useEffect(() => {
    void readOn([], 1);
    return () => running.current?.abort();
  }, [readOn]);

  return {
    state: parts.length > 0 ? "ready" : failed ? "failed" : "loading",
    error: failed?.error,
    entries: parts.flatMap(entriesOf),
    hasMore: last !== undefined && last.nextCursor !== null,
    isReading,
    more() {
      if (!isReading) void readOn(parts, parts.length + 1);
    },
    reload: () => void readOn([], Math.max(parts.length, 1)),
    retry: () => void (failed ? readOn(failed.known, failed.count) : undefined),
  };
}

const withCursor = (path: string, cursor: string) =>
  cursor === "" ? path : `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
