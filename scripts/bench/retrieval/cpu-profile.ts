import { z } from "zod";

// Reads a processor profile, as `bun --cpu-prof` writes it.

const profileSchema = z.object({
  /** In microseconds. */
  startTime: z.number(),
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  /** Microseconds from each sample to the next. */
  timeDeltas: z.array(z.number()),
});

/** Times in milliseconds since 1970. */
export interface Span {
  from: number;
  until: number;
}

/** What counts where none of Docent's own code runs. */
export const ELSEWHERE = "the runtime, garbage collection";

const OWN = /\/(src\/[^?]*)$/;

/** The milliseconds that each file of Docent took within a span, with everything that it called outside. */
export function timeByFile(profile: string, { from, until }: Span): Map<string, number> {
  const { startTime, nodes, samples, timeDeltas } = profileSchema.parse(JSON.parse(profile));
  const files = ownFiles(nodes);
  const times = new Map<string, number>();
  let at = startTime / 1000;
  for (const [index, node] of samples.entries()) {
    const ms = (timeDeltas[index] ?? 0) / 1000;
    at += ms;
    if (at < from || at > until) continue;
    const file = files.get(node) ?? ELSEWHERE;
    times.set(file, (times.get(file) ?? 0) + ms);
  }
  return times;
}

/** For each node, the file of the innermost function of Docent. */
function ownFiles(nodes: z.infer<typeof profileSchema>["nodes"]): Map<number, string> {
  const files = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit: { id: number; around: string | undefined }[] = nodes
    .slice(0, 1)
    .map(({ id }) => ({ id, around: undefined }));
  for (let next = visit.pop(); next !== undefined; next = visit.pop()) {
    const node = byId.get(next.id);
    const file = OWN.exec(node?.callFrame.url ?? "")?.[1] ?? next.around;
    if (file !== undefined) files.set(next.id, file);
    for (const id of node?.children ?? []) visit.push({ id, around: file });
  }
  return files;
}
