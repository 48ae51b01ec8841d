import { useEffect, useReducer } from "react";
import { relativeTime, wholeTime } from "./relative-time.ts";

const MINUTE_MS = 60_000;

interface TimeProps {
  /** A moment as the API has it; null: there was none. */
  at: string | null | undefined;
  /** What stands where there was none. */
  none?: string;
  /** The date itself, instead of how long ago it was. */
  isWhole?: boolean;
}

/** When something was: how long ago, kept true, with the date on hover. */
export function Time({ at, none = "never", isWhole = false }: TimeProps) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (isWhole) return;
    const timer = setInterval(tick, MINUTE_MS);
    return () => clearInterval(timer);
  }, [isWhole]);
  const moment = at ? new Date(at) : undefined;
  if (moment === undefined || Number.isNaN(moment.getTime())) return <span className="quiet">{none}</span>;
  return (
    <time dateTime={moment.toISOString()} title={wholeTime(moment)}>
      {isWhole ? wholeTime(moment) : relativeTime(moment.getTime(), Date.now())}
    </time>
  );
}
