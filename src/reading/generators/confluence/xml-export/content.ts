import { type ExportedObject, plainValue, readObjects, referenceOf } from "./objects.ts";

/** A page or a blog post of an export. */
export interface ExportedPage {
  id: string;
  kind: "Page" | "BlogPost";
  title: string;
  /** The id of its space. */
  space: string;
  parent: string | undefined;
  /** Its place among those below the same page, where somebody has moved it. */
  position: number | undefined;
  created: string;
  labels: string[];
  /** Whether it, or a page above it, is for some only. */
  isRestricted: boolean;
}

interface ExportedSpace {
  key: string;
  name: string;
  home: string | undefined;
  /** Whether everyone who is signed in may see it, or all the world. */
  isForAll: boolean;
  /** The groups that may see it. */
  groups: string[];
}

export interface ExportedFile {
  id: string;
  page: string;
  name: string;
  version: string;
}

/** What an export holds, apart from the words of its pages. */
export interface ExportedContent {
  spaces: ReadonlyMap<string, ExportedSpace>;
  pages: ExportedPage[];
  files: ExportedFile[];
  /** The names of people by their keys. */
  people: ReadonlyMap<string, string>;
  /** How many are left out, by why. */
  leftOut: ReadonlyMap<string, number>;
  fault: string | undefined;
}

const KINDS = new Set([
  "Space",
  "Page",
  "BlogPost",
  "Attachment",
  "Label",
  "Labelling",
  "ContentPermissionSet",
  "SpacePermission",
  "ConfluenceUserImpl",
]);
const OBJECTS_MAX = 2_000_000;

/** Reads everything but the words of pages. `everyone` is the group that all users of the wiki are in. */
export async function readContent(text: string, everyone = "confluence-users"): Promise<ExportedContent> {
  const byKind = new Map<string, ExportedObject[]>([...KINDS].map((kind) => [kind, []]));
  let count = 0;
  const fault = await readObjects(text, {
    isWanted: (kind) => KINDS.has(kind),
    isLong: () => false,
    take(object) {
      count += 1;
      if (count <= OBJECTS_MAX) byKind.get(object.kind)?.push(object);
    },
  });
  const of = (kind: string) => byKind.get(kind) ?? [];
  const leftOut = new Map<string, number>();
  const current = [...of("Page"), ...of("BlogPost")].filter((page) => isCurrent(page, leftOut));
  const labels = labelsOf(of("Label"), of("Labelling"));
  const isRestricted = restrictions(of("ContentPermissionSet"), current);
  const tooMany = count > OBJECTS_MAX ? `it has more than ${OBJECTS_MAX} objects` : undefined;
  return {
    spaces: new Map(of("Space").map((space) => [space.id, spaceOf(space, of("SpacePermission"), everyone)])),
    pages: current.map((page) => pageOf(page, labels.get(page.id) ?? [], isRestricted(page))),
    files: of("Attachment").flatMap(fileOf),
    people: new Map(of("ConfluenceUserImpl").flatMap(personOf)),
    leftOut,
    fault: fault ?? tooMany,
  };
}

/** Reads the bodies of some pages, each in the storage format. Others are told as undefined: they are older markup. */
export async function readBodies(
  text: string,
  wanted: ReadonlySet<string>,
): Promise<Map<string, string | undefined>> {
  const bodies = new Map<string, string | undefined>();
  await readObjects(text, {
    isWanted: (kind) => kind === "BodyContent",
    isLong: (value) => value === "body",
    take(object) {
      const page = referenceOf(object, "content");
      if (page === undefined || !wanted.has(page)) return;
      const body = object.values.get("body") ?? "";
      const isStorage = plainValue(object, "bodyType") !== WIKI_MARKUP;
      if (isStorage) bodies.set(page, withInnerEnds(body));
      else if (!bodies.has(page)) bodies.set(page, body.trim() === "" ? "" : undefined);
    },
  });
  return bodies;
}

/** Confluence 3 and before wrote pages in it. */
const WIKI_MARKUP = "0";

/** A body lies in a CDATA section, and the ends of those in it are written with a space. */
const withInnerEnds = (body: string) => body.replaceAll("]] >", "]]>");

/** Whether a page is what readers see, and not an earlier version, a draft, or in the bin. */
function isCurrent(page: ExportedObject, leftOut: Map<string, number>): boolean {
  const isEarlier =
    referenceOf(page, "originalVersion") !== undefined || plainValue(page, "originalVersionId") !== "";
  const status = plainValue(page, "contentStatus") || "current";
  if (isEarlier || (status === "current" && plainValue(page, "title") !== "")) return !isEarlier;
  const why = WHY_NOT[status] ?? (status === "current" ? "have no title" : `are marked as ${status}`);
  leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  return false;
}

const WHY_NOT: Readonly<Record<string, string>> = {
  draft: "are drafts",
  deleted: "are in the bin",
  trashed: "are in the bin",
  archived: "are archived",
};

function spaceOf(
  space: ExportedObject,
  permissions: readonly ExportedObject[],
  everyone: string,
): ExportedSpace {
  const views = permissions.filter(
    (each) => plainValue(each, "type") === "VIEWSPACE" && referenceOf(each, "space") === space.id,
  );
  const groups = views.map((each) => plainValue(each, "group")).filter((group) => group !== "");
  const isForOne = (each: ExportedObject) =>
    plainValue(each, "group", "userName") !== "" || referenceOf(each, "userSubject") !== undefined;
  return {
    key: plainValue(space, "key"),
    name: plainValue(space, "name") || plainValue(space, "key"),
    home: referenceOf(space, "homePage"),
    // An export may hold no rights of spaces at all.
    isForAll: permissions.length === 0 || groups.includes(everyone) || views.some((each) => !isForOne(each)),
    groups,
  };
}

function pageOf(page: ExportedObject, labels: string[], isRestricted: boolean): ExportedPage {
  const position = plainValue(page, "position");
  return {
    id: page.id,
    kind: page.kind === "BlogPost" ? "BlogPost" : "Page",
    title: plainValue(page, "title"),
    space: referenceOf(page, "space") ?? "",
    parent: referenceOf(page, "parent"),
    position: /^-?\d{1,9}$/.test(position) ? Number(position) : undefined,
    created: plainValue(page, "creationDate"),
    labels,
    isRestricted,
  };
}

const LABELS_MAX = 50;

/** The labels of pages, by the ids of these. Those that people give for themselves are not told. */
function labelsOf(
  labels: readonly ExportedObject[],
  labellings: readonly ExportedObject[],
): Map<string, string[]> {
  const names = new Map(
    labels
      .filter((label) => /^(?:global|)$/.test(plainValue(label, "namespace")))
      .map((label) => [label.id, plainValue(label, "name")]),
  );
  const byPage = new Map<string, string[]>();
  for (const labelling of labellings) {
    const page = referenceOf(labelling, "content");
    const name = names.get(referenceOf(labelling, "label") ?? "") ?? "";
    const known = byPage.get(page ?? "") ?? [];
    if (page === undefined || name === "" || known.includes(name) || known.length >= LABELS_MAX) continue;
    byPage.set(page, [...known, name]);
  }
  return byPage;
}

const DEPTH_MAX = 1_000;

/**
 * Says which pages are not for everyone: those with a restriction to read, and all that is below them. A restriction that
 * is named, and is not in the export, is taken for one to read.
 */
function restrictions(
  sets: readonly ExportedObject[],
  pages: readonly ExportedObject[],
): (page: ExportedObject) => boolean {
  const harmless = new Set(
    sets.filter((set) => /^(?:edit|share)$/i.test(plainValue(set, "type"))).map(({ id }) => id),
  );
  const restricted = new Set(
    sets
      .filter(({ id }) => !harmless.has(id))
      .flatMap((set) => referenceOf(set, "owningContent", "content") ?? []),
  );
  const byId = new Map(pages.map((page) => [page.id, page]));
  const isOwn = (page: ExportedObject) =>
    restricted.has(page.id) ||
    (page.references.get("contentPermissionSets") ?? []).some((id) => !harmless.has(id));
  return (page) => {
    let above: ExportedObject | undefined = page;
    for (let steps = 0; above !== undefined; steps++) {
      if (isOwn(above) || steps > DEPTH_MAX) return true;
      above = byId.get(referenceOf(above, "parent") ?? "");
    }
    return false;
  };
}

function fileOf(file: ExportedObject): ExportedFile[] {
  const page = referenceOf(file, "containerContent", "content");
  const name = plainValue(file, "title", "fileName");
  const isEarlier =
    referenceOf(file, "originalVersion") !== undefined || plainValue(file, "originalVersionId") !== "";
  const status = plainValue(file, "contentStatus") || "current";
  if (page === undefined || name === "" || isEarlier || status !== "current") return [];
  return [{ id: file.id, page, name, version: plainValue(file, "version", "attachmentVersion") || "1" }];
}

function personOf(person: ExportedObject): [string, string][] {
  const name = plainValue(person, "name");
  const account = plainValue(person, "atlassianAccountId");
  // The Cloud has no name there, but the account again.
  if (name === "" || name === account || /^[0-9a-f:-]{20,}$/i.test(name)) return [];
  return [[person.id, name], ...(account === "" ? [] : [[account, name] satisfies [string, string]])];
}
