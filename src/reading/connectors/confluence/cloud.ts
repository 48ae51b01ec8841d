import { z } from "zod";
import type { ServerLeftOut } from "../connector.ts";
import type { ConfluenceApi } from "./api.ts";
import { askRestrictions, labelsOf, MARKS, MARKS_EXPANDED, type Marks, marksOf } from "./marks.ts";
import {
  type AllSpaces,
  addressOf,
  archivedSpace,
  type Body,
  baseOf,
  type Confluence,
  type Content,
  firstBase,
  ID,
  personalSpaces,
  type Space,
  type SpaceContents,
  timeOf,
} from "./spaces-and-contents.ts";

const IN_REPLY = "250";
const MARKS_IN_REPLY = "200";

const SPACE = z.object({
  id: ID,
  key: z.string(),
  currentActiveAlias: z.string().nullish(),
  name: z.string(),
  type: z.string().optional(),
  homepageId: ID.nullish(),
});
/** Milliseconds, where a folder was made. */
const TIME = z.union([z.string(), z.number()]).nullish();
const PLACE = z.object({
  id: ID,
  /** A smart link may have none. */
  title: z.string().nullish(),
  embedUrl: z.string().nullish(),
  parentId: ID.nullish(),
  parentType: z.string().nullish(),
  position: z.number().nullish(),
  createdAt: TIME,
  version: z.object({ number: z.number(), createdAt: TIME }).nullish(),
  _links: z.object({ webui: z.string().optional() }).nullish(),
});
type Place = z.infer<typeof PLACE>;
const BODY = z.object({
  body: z.object({ export_view: z.object({ value: z.string() }) }),
  labels: MARKS.shape.metadata.unwrap().shape.labels,
});
const MARKED = MARKS.extend({ id: z.string() });

/**
 * Confluence Cloud: pages by the second version of its API. Who may read them only the first one says, by its search, which
 * says at once what labels and attachments they have.
 */
export async function openCloud(api: ConfluenceApi): Promise<Confluence> {
  const spaces = (parameters: Readonly<Record<string, string>>) =>
    api.parts("/api/v2/spaces", parameters, SPACE);
  const base = baseOf(await firstBase(spaces({ limit: "1" })), api.root);
  return {
    program: "Confluence Cloud",
    base,
    hasWordyIds: true,
    async space(key) {
      for await (const { results } of spaces({ keys: key })) if (results[0]) return spaceOf(results[0]);
      return undefined;
    },
    async spaceOf(id) {
      for (const kind of ["pages", "blogposts"]) {
        const page = await api.find(`/api/v2/${kind}/${id}`, {}, z.object({ spaceId: ID }));
        const space = page && (await api.find(`/api/v2/spaces/${page.spaceId}`, {}, SPACE));
        if (space !== undefined) return spaceOf(space);
      }
      return undefined;
    },
    spaces: () => listSpaces(api, base),
    contents: (space, most) => listContents(api, base, space, most),
    body: ({ id, kind }) => readBody(api, id, kind),
  };
}

const spaceOf = ({ id, key, currentActiveAlias, name, homepageId }: z.infer<typeof SPACE>): Space => ({
  id,
  key,
  alias: currentActiveAlias ?? undefined,
  name,
  home: homepageId ?? undefined,
});

async function listSpaces(api: ConfluenceApi, base: string): Promise<AllSpaces> {
  const found: AllSpaces = { spaces: [], leftOut: [] };
  let hasPersonal = false;
  for (const status of ["current", "archived"])
    for await (const { results } of api.parts("/api/v2/spaces", { status, limit: IN_REPLY }, SPACE))
      for (const space of results) {
        if (space.type === "personal") hasPersonal = true;
        else if (status === "current") found.spaces.push(spaceOf(space));
        else found.leftOut.push(archivedSpace(`${base}/spaces/${encodeURIComponent(space.key)}`));
      }
  if (hasPersonal) found.leftOut.push(personalSpaces(`${base}/spaces`));
  return found;
}

async function listContents(
  api: ConfluenceApi,
  base: string,
  space: Space,
  most: number,
): Promise<SpaceContents> {
  const pages = await placesIn(api, `${space.id}/pages`, most);
  const posts = await placesIn(api, `${space.id}/blogposts`, most - pages.length);
  const above = await placesAbove(api, pages);
  const marks = await marksIn(api, space);
  const contents = (
    [
      ["page", pages],
      ["blogpost", posts],
      ["heading", above],
    ] as const
  ).flatMap(([kind, places]) => places.map((place) => contentOf(place, kind, base, marks.get(place.id))));
  const isCut = pages.length + posts.length > most;
  return {
    contents: await askRestrictions(api, contents),
    leftOut: isCut ? [] : await listLeftOut(api, base, space),
    isCut,
  };
}

async function placesIn(api: ConfluenceApi, path: string, most: number): Promise<Place[]> {
  const found: Place[] = [];
  const asked = { status: "current", limit: IN_REPLY };
  for await (const { results } of api.parts(`/api/v2/spaces/${path}`, asked, PLACE)) {
    found.push(...results);
    if (found.length > most) break;
  }
  return found;
}

async function marksIn(api: ConfluenceApi, { key }: Space): Promise<Map<string, Marks>> {
  const marks = new Map<string, Marks>();
  const asked = {
    cql: `space = ${JSON.stringify(key)} and type in (page, blogpost, folder)`,
    limit: MARKS_IN_REPLY,
    expand: MARKS_EXPANDED,
  };
  for await (const { results } of api.parts("/rest/api/content/search", asked, MARKED))
    for (const found of results) marks.set(found.id, marksOf(found));
  return marks;
}

/** What stands in the tree as pages do: by what the API calls them, where they are asked for. */
const ABOVE: Readonly<Record<string, string>> = {
  folder: "folders",
  whiteboard: "whiteboards",
  database: "databases",
  embed: "embeds",
};
const ABOVE_MAX = 5_000;

/** The folders, and the like, in which pages stand: no list has them. */
async function placesAbove(api: ConfluenceApi, below: readonly Place[]): Promise<Place[]> {
  const known = new Set(below.map(({ id }) => id));
  const found: Place[] = [];
  for (let level = below; level.length > 0 && known.size < below.length + ABOVE_MAX; ) {
    const next: Place[] = [];
    for (const { parentId, parentType } of level) {
      const kind = ABOVE[parentType ?? ""];
      if (kind === undefined || typeof parentId !== "string" || known.has(parentId)) continue;
      known.add(parentId);
      const place = await api.find(`/api/v2/${kind}/${parentId}`, {}, PLACE);
      if (place !== undefined) next.push(place);
    }
    found.push(...next);
    level = next;
  }
  return found;
}

function contentOf(place: Place, kind: Content["kind"], base: string, marks: Marks | undefined): Content {
  const { id, title, embedUrl, parentId, position, version, createdAt, _links: links } = place;
  return {
    id,
    kind,
    title: title ?? embedUrl ?? id,
    parent: kind === "blogpost" ? undefined : (parentId ?? undefined),
    position: position ?? undefined,
    address: addressOf(base, id, links?.webui),
    changedAt: timeOf(version?.createdAt ?? createdAt),
    createdAt: timeOf(createdAt),
    revision: `${version?.number ?? 0}-${marks?.signature ?? ""}`,
    isRestricted: marks?.isRestricted,
  };
}

async function listLeftOut(api: ConfluenceApi, base: string, { id, key }: Space): Promise<ServerLeftOut[]> {
  const address = `${base}/spaces/${encodeURIComponent(key)}`;
  const detail = "may have whiteboards, databases and smart links besides, which are not read";
  const leftOut: ServerLeftOut[] = [{ address, detail }];
  for await (const { results } of api.parts(
    `/api/v2/spaces/${id}/pages`,
    { status: "archived", limit: IN_REPLY },
    PLACE,
  ))
    for (const { id: page, _links: links } of results)
      leftOut.push({ address: addressOf(base, page, links?.webui), detail: "is archived" });
  return leftOut;
}

async function readBody(api: ConfluenceApi, id: string, kind: Content["kind"]): Promise<Body> {
  const path = kind === "blogpost" ? "blogposts" : "pages";
  const { body, labels } = await api.get(
    `/api/v2/${path}/${id}`,
    { "body-format": "export_view", "include-labels": "true" },
    BODY,
  );
  return { html: body.export_view.value, labels: labelsOf(labels?.results) };
}
