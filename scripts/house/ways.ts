import { join, posix } from "node:path";
import { z } from "zod";
import type { Crossing } from "./trace.ts";
import type { SourceFile } from "./tree.ts";

/** What the calls on a way come to. */
export interface Way {
  /** From room to room. */
  rooms: Walk;
  /** From file to file within the room in which the way begins. */
  files: Walk;
}

const crossingsShape: z.ZodType<Crossing[]> = z.array(z.object({ from: z.string(), to: z.string() }));

interface Walk {
  places: number;
  /** Calls into a place that the way had been in before. */
  returns: number;
  /** Calls into a place that imports the one that they come from: callbacks. */
  climbs: number;
}

/** Takes a page or a question on its way, with the code of a checkout, and counts where it comes by. */
export async function measureWay(
  root: string,
  files: readonly SourceFile[],
  way: "page" | "question",
): Promise<Way> {
  const script = join(import.meta.dir, "way.ts");
  const run = Bun.spawn([process.execPath, script, way, root], {
    cwd: root,
    stdout: "pipe",
    stderr: "ignore",
  });
  const said = (await new Response(run.stdout).text()).trim().split("\n").at(-1) ?? "[]";
  const crossings = crossingsShape.parse(JSON.parse(said));
  const rooms = crossings.map(({ from, to }) => ({ from: posix.dirname(from), to: posix.dirname(to) }));
  const first = rooms[0]?.from;
  const isInFirst = ({ from, to }: Crossing) => posix.dirname(from) === first && posix.dirname(to) === first;
  return {
    rooms: walkOf(
      rooms.filter(({ from, to }) => from !== to),
      importsBetween(files, posix.dirname),
    ),
    files: walkOf(
      crossings.filter(isInFirst),
      importsBetween(files, (path) => path),
    ),
  };
}

function walkOf(crossings: readonly Crossing[], importsOf: ReadonlyMap<string, ReadonlySet<string>>): Walk {
  const been = new Set<string>();
  let returns = 0;
  let climbs = 0;
  for (const { from, to } of crossings) {
    been.add(from);
    if (been.has(to)) returns++;
    been.add(to);
    if (reaches(importsOf, to, from) && !reaches(importsOf, from, to)) climbs++;
  }
  return { places: been.size, returns, climbs };
}

function importsBetween(
  files: readonly SourceFile[],
  placeOf: (path: string) => string,
): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const known = places.get(placeOf(path)) ?? new Set();
    places.set(placeOf(path), known);
    for (const target of imports) known.add(placeOf(target));
  }
  return places;
}

function reaches(importsOf: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
    for (const next of importsOf.get(place) ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) {
        seen.add(next);
        waiting.push(next);
      }
    }
  return false;
}
