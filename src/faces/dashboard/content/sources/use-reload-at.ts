import { useEffect, useRef } from "react";

/** Reads something anew when a run has ended, and not at the next look. */
export function useReloadAt(finishedAt: string | null, reload: () => void): void {
  const known = useRef(finishedAt);
  useEffect(() => {
    if (known.current === finishedAt) return;
    known.current = finishedAt;
    reload();
  });
}
