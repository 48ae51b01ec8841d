import type { WikiServer } from "../../../contract/connector.ts";
import { escaped, json, type KeptPage, startWikiServer, type WikiServerModel } from "./wiki-server.ts";

const PAGES_IN_REPLY = 3;
const SECRET = "nYx1Zz2bT3l4kJ5hG6fD7sA8qW9eR0tY:uI1oP2aS3dF4gH5jK6lZ7xC8vB9nM0qW";
const PER_MINUTE = "180";

interface BookStackManner {
  version?: "old" | "new";
  /** What the wiki takes for its own address. */
  url?: string;
  /** The body of every page, in the place of its words. */
  html?: string;
}

/** BookStack, as the API of 25.02 answers: one book, with a chapter that holds every second page, on a shelf. */
export const startBookStack = ({ version, url: own, html }: BookStackManner = {}): WikiServer =>
  startWikiServer({
    place: "/",
    secret: SECRET,
    pagesInReply: PAGES_IN_REPLY,
    answer(model, request, url) {
      const { pathname, searchParams } = url;
      if (!pathname.startsWith("/api/")) return new Response("<!DOCTYPE html>", { status: 404 });
      const authorization = request.headers.get("authorization");
      if (authorization === null) return error(401, "No authorization token found on the request");
      if (authorization !== `Token ${SECRET}`)
        return error(401, "The secret provided for the given used API token is incorrect");
      const [, , kind = "", id] = pathname.split("/");
      const base_url = own ?? model.url;
      if (kind === "system" && version !== "old")
        return json({ version: "v25.02.4", instance_id: "1234abcd", app_name: "Wiki", base_url });
      if (kind === "pages" && id !== undefined) return page(model, id, { base: base_url, html });
      if (kind === "shelves" && id === "14")
        return json({ ...SHELF, description_html: "", tags: [], cover: null, books: [BOOK] });
      const lists: Record<string, Item[]> = {
        books: [BOOK],
        shelves: [SHELF],
        chapters: [CHAPTER],
        pages: model.pages().map((each) => listed(each, version === "old")),
      };
      const list = id === undefined ? lists[kind] : undefined;
      return list === undefined ? error(404, "Not Found") : part(list, searchParams);
    },
  });

type Item = { id: number; slug: string } & Record<string, unknown>;

const MADE = {
  description: "",
  created_at: "2020-04-10T13:24:09.000000Z",
  updated_at: "2020-04-10T13:31:04.000000Z",
  created_by: 1,
  updated_by: 1,
  owned_by: 1,
};
const SHELF = { ...MADE, id: 14, name: "Manuals", slug: "manuals" };
const BOOK = { ...MADE, id: 16, name: "My own book", slug: "my-own-book" };
const CHAPTER = {
  ...MADE,
  id: 50,
  book_id: 16,
  name: "Bridges",
  slug: "bridges",
  priority: 2,
  book_slug: BOOK.slug,
};

const error = (code: number, message: string) => json({ error: { message, code } }, code);

const slugOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

const listed = ({ id, title, revision, changedAt }: KeptPage, isOld = false): Item => ({
  id,
  book_id: 16,
  chapter_id: id % 2 === 0 ? 50 : 0,
  name: title,
  slug: slugOf(title),
  priority: id,
  draft: title.startsWith("Draft"),
  template: title.startsWith("Template"),
  ...(isOld ? {} : { revision_count: revision }),
  created_at: changedAt,
  updated_at: isOld ? changedAt.replace("T", " ").replace("Z", "") : changedAt.replace("Z", ".000000Z"),
  created_by: 1,
  updated_by: 1,
  owned_by: 1,
  editor: "wysiwyg",
  book_slug: BOOK.slug,
});

/** Filters as the API does: by equality, and by what is greater. */
function part(all: readonly Item[], query: URLSearchParams): Response {
  const met = all.filter((item) =>
    [...query].every(([name, value]) => {
      const [, field = "", isGreater] = /^filter\[(\w+)(:gt)?\]$/.exec(name) ?? [];
      if (field === "") return true;
      return isGreater === undefined ? String(item[field]) === value : Number(item[field]) > Number(value);
    }),
  );
  const count = Math.min(Number(query.get("count") ?? 100), PAGES_IN_REPLY);
  const data = met.toSorted((a, b) => a.id - b.id).slice(0, count);
  const reply = json({ data, total: met.length });
  reply.headers.set("x-ratelimit-limit", PER_MINUTE);
  return reply;
}

function page(
  model: WikiServerModel,
  id: string,
  { base, html }: { base: string; html: string | undefined },
): Response {
  const found = model.pages().find((each) => String(each.id) === id);
  if (found === undefined)
    return error(404, "No query results for model [BookStack\\Entities\\Models\\Page] 1");
  const { words, linksTo, showsImage } = found;
  const linked = linksTo === undefined ? undefined : model.pageOf(linksTo);
  const link =
    linked === undefined
      ? ""
      : `<p id="bkmrk-link"><a href="${base.replace(/\/$/, "")}/link/${linked.id}#bkmrk-first">${linked.title}</a></p>`;
  const image = showsImage
    ? `<p id="bkmrk-image"><a href="${model.url}${model.imagePath}" target="_blank" rel="noopener"><img src="${model.url}${model.imagePath}" alt="A picture"></a></p>`
    : "";
  const by = { id: 1, name: "Admin", slug: "admin" };
  return json({
    ...listed(found),
    created_by: by,
    updated_by: by,
    owned_by: by,
    raw_html: "<p>{{@1}}</p>",
    html: html ?? `<h2 id="bkmrk-first">First</h2>\n<p id="bkmrk-words">${escaped(words)}</p>${link}${image}`,
    markdown: "",
    tags: [{ name: "Category", value: "Guides", order: 0 }],
  });
}
