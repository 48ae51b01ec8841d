import type { AppError } from "@docent/kernel/errors";
import { type Admission, announce, type Counts, type Entry } from "./admission.ts";
import { createFairOrder } from "./fair-order.ts";
import type { Places } from "./queue.ts";

interface OwnAdmissionOptions<Place> {
  places: Places<Place>;
  /** How many may wait. */
  queueLength: number;
  counts: Counts;
  /** What somebody is told for whom there is no room. */
  tooMany(): AppError;
}

/** Gives places in a fair order to those who wait in this process. */
export function createOwnAdmission<Place>({
  places,
  queueLength,
  counts,
  tooMany,
}: OwnAdmissionOptions<Place>): Admission<Place> {
  const order = createFairOrder<Entry<Place>>();
  const tellAll = (entries: readonly Entry<Place>[]) =>
    announce(entries.map((entry, index) => ({ entry, position: index + 1 })));

  /** Gives places to waiting entries, and refuses those that will never get one. */
  function admit(): void {
    if (counts.waiting === 0) return;
    const entries = order.list();
    const before = counts.waiting;
    for (const entry of entries) {
      const { asker } = entry.wanted;
      const place = places.take(entry.avoid, asker);
      if (place !== undefined) {
        order.begin(asker, entry);
        entry.admitTo(place);
        continue;
      }
      const problem = places.problem(entry.avoid);
      if (problem === undefined) continue;
      order.leave(asker, entry);
      entry.refuse(problem);
    }
    tellAll(counts.waiting === before ? entries : order.list());
  }

  const isFull = (avoid: ReadonlySet<Place>) => order.list().length >= queueLength && !places.isFree(avoid);

  return {
    admit,
    isFull: async (avoid) => isFull(avoid),
    join(entry) {
      const { asker, again = false } = entry.wanted;
      if (!again && isFull(entry.avoid)) return entry.refuse(tooMany());
      if (again) order.rejoin(entry);
      else order.join(asker, entry);
      // A place may have become free without notice, because a rest has ended.
      admit();
    },
    leave(entry, place) {
      const { asker } = entry.wanted;
      if (place === undefined) {
        order.leave(asker, entry);
        tellAll(order.list());
      } else {
        order.end(asker);
        admit();
      }
    },
  };
}
