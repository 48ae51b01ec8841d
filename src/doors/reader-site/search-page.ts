import { AppError } from "@docent/kernel/errors";
import { type Edition, editionFor } from "./edition.ts";
import { type Html, html } from "./html.ts";
import { fill, type ReaderLabels } from "./labels.ts";
import { choiceIn, type ReaderRequest, type ReaderSiteOptions } from "./request.ts";
import { resultsOf } from "./search.ts";

/** As many as fit below a search box. */
const TYPED_MAX = 8;
/** As many as are asked for where all of them are wanted. */
const TYPED_ALL_MAX = 50;
const RESULTS_MAX = 20;

/**
 * What the search box asks as one types. The page that asks is sandboxed, so to browsers it is from nowhere: any page
 * may read the answer, which says nothing that the site does not show everyone.
 */
export async function showSearchJson(
  options: Pick<ReaderSiteOptions, "search" | "basePath" | "navigation" | "pages">,
  { site, audience, query, request, peer }: ReaderRequest,
): Promise<Response> {
  const headers: Record<string, string> = {
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
  };
  // What is usual is in no address.
  const { choice, addresses } = await editionFor(options, { site, audience }, undefined, choiceIn(query));
  const asked = {
    site,
    audience,
    query: query.get("q") ?? "",
    choice,
    addresses,
    most: Math.min(TYPED_ALL_MAX, Number(/^\d{1,3}$/.exec(query.get("size") ?? "")?.[0] ?? TYPED_MAX)),
    asYouType: true,
    request,
    peer,
  };
  try {
    const { hits: results, corrected } = await options.search.find(asked);
    return Response.json({ results, corrected }, { headers });
  } catch (error) {
    if (!isOverLimit(error)) throw error;
    const body = { error: { code: error.code, message: error.message } };
    return Response.json(body, { status: 429, headers: { ...headers, ...retryAfter(error) } });
  }
}

/** The page of results, as the form asks for it. */
export async function showResults(
  { search }: Pick<ReaderSiteOptions, "search">,
  { site, audience, query, request, peer }: ReaderRequest,
  { choice, addresses, labels }: Edition,
): Promise<{ title: string; main: Html; status: number; headers: Record<string, string> }> {
  const words = (query.get("q") ?? "").trim();
  const title = words === "" ? labels.search : fill(labels.resultsFor, { query: words });
  const asked = {
    site,
    audience,
    query: words,
    choice,
    addresses,
    most: RESULTS_MAX,
    asYouType: false,
    request,
    peer,
  };
  try {
    const found = words === "" ? html`` : resultsOf(words, await search.find(asked), labels);
    return { title, main: withTitle(title, found), status: 200, headers: {} };
  } catch (error) {
    if (!isOverLimit(error)) throw error;
    return { title, main: withTitle(title, busy(labels)), status: 429, headers: retryAfter(error) };
  }
}

const withTitle = (title: string, body: Html) => html`<h1><bdi>${title}</bdi></h1>${body}`;
const busy = ({ searchBusy }: ReaderLabels) => html`<p class="nothing" role="status">${searchBusy}</p>`;

const isOverLimit = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "rate_limited";

const retryAfter = ({ retryAfterSeconds = 1 }: AppError) => ({ "retry-after": String(retryAfterSeconds) });
