import { describe, expect, test } from "bun:test";
import { confluence } from "../../../src/reading/connectors/confluence/confluence.ts";
import { writeHere } from "../../../src/reading/connectors/connectors.ts";
import { answering } from "./servers/replies.ts";

/** Replies of the Cloud's second API as real sites were recorded to give them, with values of our own. */
const ADA = "712020:5e0f6d1c-8a53-4f57-9b1e-2c7d90a4b3e8";
const BASE = "https://acme.atlassian.net/wiki";
const GATEWAY = "/ex/confluence/1f2e3d4c-0000-4a5b-8c6d-7e8f9a0b1c2d/wiki";

const SPACE = {
  spaceOwnerId: ADA,
  createdAt: "2025-03-01T15:25:49.883Z",
  authorId: ADA,
  homepageId: "98581",
  icon: null,
  description: null,
  status: "current",
  name: "Documentation",
  key: "DOC",
  id: "98445",
  type: "knowledge_base",
  _links: { webui: "/spaces/DOC" },
  currentActiveAlias: "DOC",
};

const version = (number: number, createdAt: string, change: Record<string, unknown> = {}) => ({
  number,
  message: "",
  minorEdit: false,
  authorId: ADA,
  createdAt,
  ...change,
});

const page = (id: string, title: string, change: Record<string, unknown> = {}) => ({
  parentType: "page",
  parentId: "98581",
  spaceId: "98445",
  ownerId: ADA,
  lastOwnerId: null,
  createdAt: "2025-11-19T05:44:33.959Z",
  authorId: ADA,
  position: 3108,
  version: version(1, "2025-11-19T05:44:33.959Z", { ncsStepVersion: "1" }),
  body: {},
  status: "current",
  title,
  id,
  _links: {
    editui: `/pages/resumedraft.action?draftId=${id}`,
    webui: `/spaces/DOC/pages/${id}/${title.replaceAll(" ", "+")}`,
    edituiv2: `/spaces/DOC/pages/edit-v2/${id}`,
    tinyui: "/x/AYAp",
  },
  ...change,
});

const HOME = page("98581", "Documentation", {
  parentType: null,
  parentId: null,
  position: 738,
  version: version(1, "2025-03-01T15:25:51.008Z"),
  _links: { webui: "/spaces/DOC/overview", tinyui: "/x/FYEB" },
});
const RENAMED = page("4096001", "Renamed", {
  ownerId: null,
  version: version(9, "2025-11-20T05:44:33.959Z", { message: null, ncsStepVersion: null }),
  body: null,
});
const IN_FOLDER = page("5439489", "Notes of today", {
  parentType: "folder",
  parentId: "4653064",
  createdAt: "2026-05-27T07:09:12Z",
});
const FOLDER = {
  id: "4653064",
  type: "folder",
  status: "current",
  title: "Daily notes",
  parentId: "98581",
  parentType: "page",
  position: 1675,
  authorId: ADA,
  ownerId: ADA,
  createdAt: 1747434599969,
  spaceId: "98445",
  version: version(1, "2025-05-16T22:29:59.969Z", { ncsStepVersion: null }),
  _links: { webui: "/spaces/DOC/folder/4653064", base: BASE },
};
const post = (id: string, title: string, at: string) => ({
  spaceId: "98445",
  createdAt: at,
  authorId: ADA,
  version: version(1, at, { ncsStepVersion: "4" }),
  body: {},
  status: "current",
  title,
  id,
  _links: { webui: `/spaces/DOC/blog/2025/06/26/${id}/${title}`, tinyui: "/x/AYAK" },
});

/** Who may read something, as the first API says it in its search. */
const marked = (id: string) => {
  const nobody = { results: [], start: 0, limit: 200, size: 0 };
  return {
    id,
    restrictions: { read: { operation: "read", restrictions: { user: nobody, group: nobody } } },
    metadata: { labels: nobody },
    children: { attachment: nobody },
  };
};

/** A cursor as the server writes it into the next part's path: base64, with nothing of it encoded again. */
const cursorAfter = (id: string) =>
  btoa(JSON.stringify({ id, contentOrder: "id", contentOrderValue: Number(id) }));
const listOf = (results: unknown[], next?: string) => ({
  results,
  _links: { ...(next === undefined ? {} : { next }), base: BASE },
});

const inSpace = (kind: string, id: string) =>
  `${GATEWAY}/api/v2/spaces/98445/${kind}?cursor=${encodeURIComponent(cursorAfter(id))}&status=current&limit=250`;

const REPLIES = {
  [`${GATEWAY}/api/v2/spaces`]: listOf([SPACE]),
  [`${GATEWAY}/api/v2/spaces/98445/pages`]: listOf(
    [HOME, RENAMED],
    `/wiki/api/v2/spaces/98445/pages?cursor=${cursorAfter("4096001")}`,
  ),
  [inSpace("pages", "4096001")]: listOf([IN_FOLDER]),
  [`${GATEWAY}/api/v2/spaces/98445/pages?status=archived&limit=250`]: listOf([]),
  [`${GATEWAY}/api/v2/spaces/98445/blogposts`]: listOf(
    [post("688129", "First", "2025-06-26T20:39:16.596Z")],
    `/wiki/api/v2/spaces/98445/blogposts?cursor=${cursorAfter("688129")}`,
  ),
  [inSpace("blogposts", "688129")]: listOf([post("753669", "Second", "2025-06-26T20:39:37.501Z")]),
  [`${GATEWAY}/api/v2/folders/4653064`]: FOLDER,
  [`${GATEWAY}/rest/api/content/search`]: listOf(
    ["98581", "4096001", "5439489", "4653064", "688129", "753669"].map(marked),
  ),
  [`${GATEWAY}/api/v2/pages/5439489`]: {
    ...IN_FOLDER,
    labels: {
      results: [{ prefix: "global", name: "daily", id: "131075" }],
      meta: { hasMore: false },
      _links: { self: "/api/v2/pages/5439489/labels" },
    },
    body: {
      export_view: {
        representation: "export_view",
        // A short address has "_" for the "+" of base64, and a slash behind one that ends in it.
        value: `<p><a href="${BASE}/x/AYA_/">short</a> <a href="${BASE}/spaces/DOC/overview">home</a></p>`,
      },
    },
  },
};

const opened = (replies: Record<string, unknown> = REPLIES) => {
  const server = answering(replies);
  const address = new URL(`https://api.atlassian.com${GATEWAY}/spaces/DOC`);
  return { server, pages: confluence.open(address, server, { pagesMax: 100, write: writeHere }) };
};

describe("confluence: replies as the Cloud gives them", () => {
  test("a space is listed: its home, a page that was renamed, one in a folder, and posts in two parts", async () => {
    const { menu, pages } = await (await opened().pages).list();
    expect(pages.map(({ address, changedAt }) => [address, changedAt])).toEqual([
      [`${BASE}/spaces/DOC/overview`, "2025-03-01T15:25:51.008Z"],
      [`${BASE}/spaces/DOC/pages/4096001/Renamed`, "2025-11-20T05:44:33.959Z"],
      [`${BASE}/spaces/DOC/pages/5439489/Notes+of+today`, "2025-11-19T05:44:33.959Z"],
      [`${BASE}/spaces/DOC/blog/2025/06/26/688129/First`, "2025-06-26T20:39:16.596Z"],
      [`${BASE}/spaces/DOC/blog/2025/06/26/753669/Second`, "2025-06-26T20:39:37.501Z"],
    ]);
    expect(menu?.map(({ label, children }) => [label, children.map((each) => each.label)])).toEqual([
      ["Documentation", []],
      ["Daily notes", ["Notes of today"]],
      ["Renamed", []],
      ["Blog", ["Second", "First"]],
    ]);
  });

  test("the next part of a list is asked for where the Confluence is reached, with the cursor as it is", async () => {
    const { server, pages } = opened();
    await (await pages).list();
    expect(server.asked.filter((path) => path.includes("cursor="))).toEqual([
      inSpace("pages", "4096001"),
      inSpace("blogposts", "688129"),
    ]);
    expect(inSpace("pages", "4096001")).toContain("%3D");
  });

  test("a page has its labels, and its links lead to what was listed", async () => {
    const pages = await opened().pages;
    const listed = (await pages.list()).pages.find(({ title }) => title === "Notes of today");
    if (listed === undefined) throw new Error("is not listed");
    expect(await pages.read(listed)).toEqual({
      data: { title: "Notes of today", tags: ["daily"] },
      markdown: `[short](${BASE}/spaces/DOC/pages/4096001/Renamed) [home](${BASE}/spaces/DOC/overview)`,
      faults: [],
    });
  });
});
