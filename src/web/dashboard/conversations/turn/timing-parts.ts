import type { Turn } from "../replies.ts";

/** A stretch of the time that an answer took. */
export interface TimingPart {
  name: "search" | "queue" | "reading" | "writing";
  label: string;
  fromMs: number;
  ms: number;
}

/** What an answer's time was spent on, one after the other: nothing of it is counted twice, and none is longer than all. */
export function timingParts({ retrievalMs, queueMs, firstTokenMs, totalMs }: Turn["timings"]): TimingPart[] {
  const totalOr0 = totalMs ?? 0;
  const until = (ms: number) => Math.min(Math.max(ms, 0), totalOr0);
  const searched = until(retrievalMs ?? 0);
  const admitted = until(searched + (queueMs ?? 0));
  const begun = Math.max(admitted, until(firstTokenMs ?? totalOr0));
  const parts: TimingPart[] = [
    { name: "search", label: "Searching", fromMs: 0, ms: searched },
    { name: "queue", label: "In the queue", fromMs: searched, ms: admitted - searched },
    { name: "reading", label: "Reading, thinking", fromMs: admitted, ms: begun - admitted },
    { name: "writing", label: "Writing", fromMs: begun, ms: totalOr0 - begun },
  ];
  return parts.filter(({ ms }) => ms > 0);
}
