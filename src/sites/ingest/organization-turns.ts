/** Work for a site. Organizations get their turns alike. */
export interface SiteWork {
  organizationId: string;
  siteId: number;
}

/** How many sites of one organization are worked for at once: a slow source holds up its own site alone. */
const OF_ONE_ORGANIZATION_MAX = 2;
/** How many of those, in all, may be the second of their organization. */
const SECOND_MAX = 1;

/**
 * Says who is next. Work of so many organizations goes on at the same time, that of one site one after the other. What an
 * organization has begun beside its first takes no place from another one, and none begins so while another waits; where
 * more organizations wait than there are places, the one is next that had its turn longest ago.
 */
export function createOrganizationTurns(organizationsMax: number) {
  const lastBegun = new Map<string, number>();
  let begun = 0;

  return {
    /** The one of those that wait, in their order, that may begin beside what goes on. It counts as begun. */
    next<T extends SiteWork>(waiting: readonly T[], running: readonly SiteWork[]): T | undefined {
      const busySites = new Set(running.map(({ siteId }) => siteId));
      const counts = Map.groupBy(running, ({ organizationId }) => organizationId);
      const free = waiting.filter(({ siteId }) => !busySites.has(siteId));
      const first = free.filter(isWithout(counts));
      const mayBegin = counts.size < organizationsMax;
      const maySecond = first.length === 0 && running.length - counts.size < SECOND_MAX;
      const next =
        mayBegin && first.length > 0
          ? longestAgo(first)
          : maySecond
            ? free.find(isSecond(counts))
            : undefined;
      if (next !== undefined) lastBegun.set(next.organizationId, ++begun);
      return next;
    },
  };

  function longestAgo<T extends SiteWork>(these: readonly T[]): T | undefined {
    const lastOf = ({ organizationId }: T) => lastBegun.get(organizationId) ?? 0;
    return these.toSorted((a, b) => lastOf(a) - lastOf(b))[0];
  }
}

export type OrganizationTurns = ReturnType<typeof createOrganizationTurns>;

type Counts = ReadonlyMap<string, readonly SiteWork[]>;

const isWithout =
  (counts: Counts) =>
  ({ organizationId }: SiteWork) =>
    !counts.has(organizationId);

const isSecond =
  (counts: Counts) =>
  ({ organizationId }: SiteWork) =>
    (counts.get(organizationId)?.length ?? OF_ONE_ORGANIZATION_MAX) < OF_ONE_ORGANIZATION_MAX;

/** Does all of the work in a fair order. What goes wrong is for the work to catch: it keeps no other from its turn. */
export async function doInTurns<T extends SiteWork>(
  all: readonly T[],
  order: OrganizationTurns,
  work: (one: T) => Promise<void>,
): Promise<void> {
  let waiting = [...all];
  const running = new Map<T, Promise<void>>();
  while (waiting.length + running.size > 0) {
    const next = order.next(waiting, [...running.keys()]);
    if (next === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting = waiting.filter((each) => each !== next);
    running.set(
      next,
      work(next).finally(() => running.delete(next)),
    );
  }
}
