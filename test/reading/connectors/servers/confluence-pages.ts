import { escaped, type KeptPage, type WikiServerModel } from "./wiki-server.ts";

/** What a page of a fake Confluence has besides its words, by its title. */
export interface Details {
  /** Of folders and of smart links, only the Cloud knows. */
  kind?: "page" | "blogpost" | "folder" | "embed";
  /** The title of what it stands below. */
  parent?: string;
  position?: number;
  labels?: string[];
  isRestricted?: boolean;
  isArchived?: boolean;
  /** No list has its restrictions: the search does not know it yet. */
  isUnindexed?: boolean;
  /** Its restrictions are not said where they are asked for by themselves, either. */
  isUnsaid?: boolean;
  /** How often its attachment was uploaded. */
  uploads?: number;
  html?: string;
  address?: string;
}

export type AllDetails = Record<string, Details>;

export interface DetailedPage extends KeptPage {
  details: Details;
}

/** Pages of a kind, in the order in which they came. */
export const pagesOfKind = (
  model: WikiServerModel,
  all: AllDetails,
  kinds: Details["kind"][],
): DetailedPage[] =>
  model
    .pages()
    .map((page) => ({ ...page, details: all[page.title] ?? {} }))
    .filter(({ details }) => kinds.includes(details.kind ?? "page"));

const listIn = (results: unknown[]) => ({
  results,
  start: 0,
  limit: 200,
  size: results.length,
  _links: {},
});

/** Who may read a page, as the first version of the API says it. */
export const restrictionIn = ({ id, details: { isRestricted = false } }: DetailedPage) => ({
  operation: "read",
  restrictions: {
    user: listIn(isRestricted ? [{ type: "known", displayName: "Ada Berg" }] : []),
    group: listIn([]),
    _expandable: {},
  },
  _expandable: { content: `/rest/api/content/${id}` },
  _links: {},
});

/** The marks of a page in the first version of the API. */
export function marksIn(page: DetailedPage, context: string) {
  const { id, details } = page;
  const { labels = [], uploads = 0 } = details;
  const download = `${context}/download/attachments/${id}/picture.png?version=${uploads}&modificationDate=17${uploads}&api=v2`;
  const file = { id: `att${id}`, type: "attachment", title: "picture.png", _links: { download } };
  return {
    restrictions: details.isUnindexed ? {} : { read: restrictionIn(page) },
    metadata: {
      labels: listIn(labels.map((name) => ({ prefix: "global", name, id: "917505", label: name }))),
    },
    children: { attachment: listIn(uploads === 0 ? [] : [file]) },
  };
}

/** The body as it is rendered for exports: all addresses are whole. */
export function htmlOf(
  page: DetailedPage,
  model: WikiServerModel,
  addressOf: (title: string) => string,
): string {
  const { words, linksTo, showsImage, title, details } = page;
  if (details.html !== undefined) return details.html;
  const link =
    linksTo === undefined
      ? ""
      : `<p><a href="${addressOf(linksTo)}" rel="nofollow">${escaped(linksTo)}</a></p>`;
  const image = showsImage
    ? `<p><span class="confluence-embedded-file-wrapper"><img class="confluence-embedded-image" src="${model.url}${model.imagePath}?version=1&amp;api=v2" data-linked-resource-type="attachment" alt="picture.png" /></span></p>`
    : "";
  return `<h2 id="${title.replaceAll(" ", "")}-First">First</h2><p>${escaped(words)}</p>${link}${image}`;
}
