import { normalizePath, withoutEnding } from "@docent/reading/page/page-path";
import { redirectTargetOf } from "@docent/reading/page/redirects";
import type { ChangedPages } from "./comparison.ts";
import type { ChangedPage, PageRevisions } from "./stores.ts";

/** So many pages are named of each kind. */
const NAMED_MAX = 200;

/** What a run or a generation changed, by page. */
export interface PageChanges {
  added: ChangedPage[];
  changed: ChangedPage[];
  removed: ChangedPage[];
  moved: { page: ChangedPage; from: string }[];
}

/**
 * Tells pages apart that are new, that are others than before, that are gone, and that are at another path: by what the
 * docs themselves say of old addresses, by a path that differs in how it ends alone, or else by a title that one page had
 * and one has.
 */
export function changesOf({ brought, taken, redirects }: PageRevisions): PageChanges {
  const keyOf = ({ sourceId, path }: ChangedPage) => `${sourceId} ${path}`;
  const [before, after] = [new Set(taken.map(keyOf)), new Set(brought.map(keyOf))];
  const gone = taken.filter((page) => !after.has(keyOf(page)));
  const come = brought.filter((page) => !before.has(keyOf(page)));
  const moved = movesOf(gone, come, redirects);
  const [from, to] = [new Set(moved.map((move) => move.from)), new Set(moved.map(({ page }) => page))];
  return {
    added: come.filter((page) => !to.has(page)),
    changed: brought.filter((page) => before.has(keyOf(page))),
    removed: gone.filter(({ path }) => !from.has(path)),
    moved,
  };
}

function movesOf(
  gone: readonly ChangedPage[],
  come: readonly ChangedPage[],
  redirects: PageRevisions["redirects"],
): PageChanges["moved"] {
  const comeAt = new Map(come.map((page) => [page.path, page]));
  const nameOf = ({ sourceId, path }: ChangedPage) => `${sourceId} ${withoutEnding(path)}`;
  const comeAs = new Map(come.map((page) => [nameOf(page), page]));
  const targets = new Map(redirects.map(({ from, to }) => [normalizePath(from), redirectTargetOf(to).path]));
  const told = (path: string) => comeAt.get(targets.get(normalizePath(path)) ?? "\0");
  const likeGone = onlyOnes(gone);
  const likeCome = onlyOnes(come);
  return gone.flatMap((page) => {
    const alike = likenessesOf(page).find(
      (likeness) => likeGone.get(likeness) === page && likeCome.has(likeness),
    );
    const now =
      told(page.path) ?? comeAs.get(nameOf(page)) ?? (alike === undefined ? undefined : likeCome.get(alike));
    return now === undefined ? [] : [{ page: now, from: page.path }];
  });
}

/** By what a page is known at another path: its title and length together, or its title. */
const likenessesOf = ({ sourceId, title, bytes }: ChangedPage): string[] =>
  title === "" ? [] : [`${sourceId} ${bytes} ${title}`, `${sourceId} ${title}`];

/** The pages that are alone in what they are like. */
function onlyOnes(pages: readonly ChangedPage[]): Map<string, ChangedPage> {
  const all = Map.groupBy(
    pages.flatMap((page) => likenessesOf(page).map((likeness) => ({ likeness, page }))),
    ({ likeness }) => likeness,
  );
  return new Map(
    [...all].flatMap(([likeness, [one, ...more]]) =>
      one === undefined || more.length > 0 ? [] : [[likeness, one.page] as const],
    ),
  );
}

/** Changes as a report names them. */
export function namedChanges({ added, changed, removed, moved }: PageChanges): ChangedPages {
  const named = (pages: readonly ChangedPage[]) =>
    pages
      .map(({ path, title }) => ({ path, title }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .slice(0, NAMED_MAX);
  return {
    counts: {
      added: added.length,
      changed: changed.length,
      removed: removed.length,
      moved: moved.length,
    },
    added: named(added),
    changed: named(changed),
    removed: named(removed),
    moved: moved.slice(0, NAMED_MAX).map(({ page: { path, title }, from }) => ({ path, title, from })),
  };
}
