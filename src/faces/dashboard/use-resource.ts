import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiQuery, isAbort, useApi, withQuery } from "./api.ts";
import { type ApiError, toApiError } from "./api-error.ts";

/** What was asked of the server, as far as it is known. */
export type Resource<T> = (
  | { state: "loading"; data?: undefined; error?: undefined }
  /** `error` is that of the last attempt to read it anew. */
  | { state: "ready"; data: T; error?: ApiError | undefined }
  | { state: "failed"; data?: undefined; error: ApiError }
) & {
  reload(): Promise<void>;
  isReloading: boolean;
};

export interface ResourceOptions {
  query?: ApiQuery;
  /** Read anew after so long, while the page is visible. */
  everyMs?: number | undefined;
}

interface Read<T> {
  path: string;
  address: string;
  data?: T;
  error?: ApiError;
}

/**
 * Reads what is at a path, and keeps what was read while it is read anew or with another query. Null: nothing to read
 * yet.
 */
export function useResource<T>(
  path: string | null,
  { query = {}, everyMs }: ResourceOptions = {},
): Resource<T> {
  const api = useApi();
  const [read, setRead] = useState<Read<T>>();
  const [isReading, setIsReading] = useState(false);
  const running = useRef<AbortController>(undefined);
  const address = path === null ? null : withQuery(path, query);

  const load = useCallback(async () => {
    running.current?.abort();
    if (path === null || address === null) return;
    const controller = new AbortController();
    running.current = controller;
    setIsReading(true);
    try {
      const data = await api.get<T>(address, { signal: controller.signal });
      if (running.current === controller) setRead({ path, address, data });
    } catch (error) {
      if (running.current !== controller || isAbort(error)) return;
      const failed = toApiError(error);
      // What was read with another query is no answer to this one.
      setRead((before) => ({ ...(before?.address === address && before), path, address, error: failed }));
    } finally {
      if (running.current === controller) setIsReading(false);
    }
  }, [api, path, address]);

  useEffect(() => {
    void load();
    return () => running.current?.abort();
  }, [load]);

  useEffect(() => (everyMs === undefined ? undefined : repeatWhileVisible(load, everyMs)), [load, everyMs]);

  return {
    ...shown(read?.path === path ? read : undefined),
    reload: load,
    isReloading: isReading && read !== undefined,
  };
}

function shown<T>(read: Read<T> | undefined) {
  if (read === undefined) return { state: "loading" } as const;
  // A reply may be empty: what was read is there by its name, not by its value.
  if ("data" in read) return { state: "ready", data: read.data as T, error: read.error } as const;
  return read.error ? ({ state: "failed", error: read.error } as const) : ({ state: "loading" } as const);
}

/** The next one begins when the last one ended; a page that nobody sees asks nothing, and asks at once when seen. */
function repeatWhileVisible(load: () => Promise<void>, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const again = () => {
    clearTimeout(timer);
    if (!ended && !document.hidden) timer = setTimeout(run, everyMs);
  };
  const run = () => void load().finally(again);
  const onVisibility = () => (document.hidden ? clearTimeout(timer) : run());
  document.addEventListener("visibilitychange", onVisibility);
  again();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
