import { z } from "zod";
import type { ConfluenceApi } from "./api.ts";
import { askRestrictions, labelsOf, MARKS, MARKS_EXPANDED, marksOf } from "./marks.ts";
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

/** The most that servers give where so much is asked of each page. */
const PAGES_IN_REPLY = "100";
const SPACES_IN_REPLY = "500";

const SPACE = z.object({
  id: z.coerce.string(),
  key: z.string(),
  name: z.string(),
  homepage: z.object({ id: ID }).nullish(),
});
const CONTENT = MARKS.extend({
  id: ID,
  title: z.string(),
  version: z.object({ number: z.number(), when: z.string() }),
  history: z.object({ createdDate: z.string().optional() }).optional(),
  ancestors: z.array(z.object({ id: ID })).default([]),
  /** A page that was never arranged has "none". */
  extensions: z.object({ position: z.union([z.number(), z.string()]).optional() }).optional(),
  _links: z.object({ webui: z.string().optional() }).optional(),
});
const BODY = z.object({
  body: z.object({ export_view: z.object({ value: z.string() }) }),
  metadata: MARKS.shape.metadata,
});

/** Confluence Server and Data Center, by the one version of their API. */
export async function openDataCenter(api: ConfluenceApi): Promise<Confluence> {
  const base = baseOf(await firstBase(api.parts("/rest/api/space", { limit: "1" }, SPACE)), api.root);
  const version = await versionOf(api);
  return {
    program: version === undefined ? "Confluence" : `Confluence ${version}`,
    base,
    hasWordyIds: false,
    async space(key) {
      const found = await api.find(
        `/rest/api/space/${encodeURIComponent(key)}`,
        { expand: "homepage" },
        SPACE,
      );
      return found === undefined ? undefined : spaceOf(found);
    },
    async spaceOf(id) {
      const found = await api.find(
        `/rest/api/content/${id}`,
        { expand: "space.homepage" },
        z.object({ space: SPACE }),
      );
      return found === undefined ? undefined : spaceOf(found.space);
    },
    spaces: () => listSpaces(api, base),
    contents: (space, most) => listContents(api, { base, hasScan: hasScan(version) }, space, most),
    body: ({ id }) => readBody(api, id),
  };
}

/** What every program of Atlassian says to whoever asks, as XML or JSON. */
async function versionOf(api: ConfluenceApi): Promise<string | undefined> {
  const reply = await api.text("/rest/applinks/1.0/manifest");
  return /(?:<version>|"version"\s*:\s*")(\d[\w.-]{0,30})/.exec(reply)?.[1];
}

/** Since 7.18 there is a list of pages that moves under nobody's feet, and costs large servers less. */
function hasScan(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > 7 || (major === 7 && minor >= 18);
}

const spaceOf = ({ id, key, name, homepage }: z.infer<typeof SPACE>): Space => ({
  id,
  key,
  name,
  home: homepage?.id,
});

async function listSpaces(api: ConfluenceApi, base: string): Promise<AllSpaces> {
  const found: AllSpaces = { spaces: [], leftOut: [] };
  const list = (type: string, status: string, limit: string) =>
    api.parts("/rest/api/space", { type, status, limit, expand: "homepage" }, SPACE);
  for await (const { results } of list("global", "current", SPACES_IN_REPLY))
    found.spaces.push(...results.map(spaceOf));
  for await (const { results } of list("global", "archived", SPACES_IN_REPLY))
    for (const { key } of results)
      found.leftOut.push(archivedSpace(`${base}/display/${encodeURIComponent(key)}`));
  for await (const { results } of list("personal", "current", "1")) {
    if (results.length > 0)
      found.leftOut.push(personalSpaces(`${base}/spacedirectory/view.action?selectedSpaceCategory=personal`));
    break;
  }
  return found;
}

async function listContents(
  api: ConfluenceApi,
  { base, hasScan }: { base: string; hasScan: boolean },
  { key }: Space,
  most: number,
): Promise<SpaceContents> {
  const contents: Content[] = [];
  const kinds = [
    ["page", hasScan ? "/rest/api/content/scan" : "/rest/api/content"],
    ["blogpost", "/rest/api/content"],
  ] as const;
  for (const [kind, path] of kinds) {
    const asked = { spaceKey: key, type: kind, status: "current", limit: PAGES_IN_REPLY, expand: EXPANDED };
    for await (const { results } of api.parts(path, asked, CONTENT)) {
      contents.push(...results.map((each) => contentOf(each, kind, base)));
      if (contents.length > most) break;
    }
  }
  return { contents: await askRestrictions(api, contents), leftOut: [], isCut: contents.length > most };
}

const EXPANDED = `version,history,ancestors,${MARKS_EXPANDED}`;

function contentOf(found: z.infer<typeof CONTENT>, kind: Content["kind"], base: string): Content {
  const { id, title, version, history, ancestors, extensions, _links: links } = found;
  const { isRestricted, signature } = marksOf(found);
  const position = extensions?.position;
  return {
    id,
    kind,
    title,
    parent: kind === "page" ? ancestors.at(-1)?.id : undefined,
    position: typeof position === "number" ? position : undefined,
    address: addressOf(base, id, links?.webui),
    changedAt: timeOf(version.when),
    createdAt: timeOf(history?.createdDate),
    revision: `${version.number}-${signature}`,
    isRestricted,
  };
}

async function readBody(api: ConfluenceApi, id: string): Promise<Body> {
  const { body, metadata } = await api.get(
    `/rest/api/content/${id}`,
    { expand: "body.export_view,metadata.labels" },
    BODY,
  );
  return { html: body.export_view.value, labels: labelsOf(metadata?.labels?.results) };
}
