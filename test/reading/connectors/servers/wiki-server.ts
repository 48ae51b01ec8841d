import type { WikiPage, WikiServer } from "../../../contract/connector.ts";
import { startFakeSite } from "../../../helpers/fake-site.ts";
import { pngBytes } from "../../../helpers/image-bytes.ts";

/** A page as the server keeps it. */
export interface KeptPage extends WikiPage {
  id: number;
  /** Counts its changes. */
  revision: number;
  /** ISO 8601: each change on the server is a minute after the one before. */
  changedAt: string;
  isHidden: boolean;
}

/** A change, for servers that keep a list of them. */
export interface Change {
  title: string;
  at: string;
}

/** What a server of some kind is made of. */
export interface WikiServerModel {
  /** Without those that are hidden, in the order in which they came. */
  pages(): KeptPage[];
  pageOf(title: string): KeptPage | undefined;
  changes: Change[];
  /** Where the server is, without a slash at its end. */
  url: string;
  imagePath: string;
}

interface Manner {
  /** What a source names, below the server's own address. */
  place: string;
  secret: string;
  pagesInReply: number;
  tellsChanges?: boolean;
  /** Whether a request is signed in with the secret. Those that are not get 401, unless `answer` sees to that. */
  isSignedIn?(request: Request): boolean;
  answer(model: WikiServerModel, request: Request, url: URL): Response | Promise<Response>;
}

export const IMAGE_PATH = "/files/picture.png";
const BEGIN = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/** Starts a server that keeps pages, and answers as its manner is. */
export function startWikiServer(manner: Manner): WikiServer {
  const kept = new Map<string, KeptPage>();
  const changes: Change[] = [];
  const image = pngBytes();
  let minutes = 0;
  let ids = 0;
  let failing: { times: number; reply: Response } | undefined;
  const now = () => new Date(BEGIN + ++minutes * MINUTE_MS).toISOString().replace(".000Z", "Z");
  const model: WikiServerModel = {
    pages: () => [...kept.values()].filter(({ isHidden }) => !isHidden),
    pageOf: (title) => model.pages().find((page) => page.title === title),
    changes,
    url: "",
    imagePath: IMAGE_PATH,
  };
  const answer = async (request: Request) => {
    const url = new URL(request.url);
    if (failing !== undefined && failing.times-- > 0) return failing.reply.clone();
    const isSignedIn = manner.isSignedIn?.(request) ?? true;
    if (!isSignedIn) return new Response("Sign in", { status: 401 });
    if (url.pathname === IMAGE_PATH)
      return new Response(image.slice(), { headers: { "content-type": "image/png" } });
    return manner.answer(model, request, url);
  };
  const site = startFakeSite({});
  site.pages = new Proxy(
    {},
    {
      get: () => async (request: Request) => {
        const reply = await answer(request);
        const cookies = reply.headers.getSetCookie();
        return {
          status: reply.status,
          headers: {
            ...Object.fromEntries(reply.headers),
            ...(cookies[0] === undefined ? {} : { "set-cookie": cookies[0] }),
          },
          body: await reply.arrayBuffer(),
        };
      },
    },
  );
  model.url = site.url;
  const change = (title: string) => {
    const at = now();
    changes.push({ title, at });
    return at;
  };
  return {
    address: site.url + manner.place,
    secret: manner.secret,
    pagesInReply: manner.pagesInReply,
    tellsChanges: manner.tellsChanges ?? false,
    image,
    requests: site.requests,
    put(page) {
      const before = kept.get(page.title);
      kept.set(page.title, {
        ...page,
        id: before?.id ?? ++ids,
        revision: (before?.revision ?? 0) + 1,
        changedAt: change(page.title),
        isHidden: false,
      });
    },
    remove(title) {
      kept.delete(title);
      change(title);
    },
    hide(title) {
      const page = kept.get(title);
      if (page === undefined) throw new Error(`${title} is no page`);
      kept.set(title, { ...page, isHidden: true });
      change(title);
    },
    failNext(times, { status, headers = {}, body = "" }) {
      failing = { times, reply: new Response(body, { status, headers }) };
    },
    [Symbol.asyncDispose]: () => site.stop(),
  };
}

export const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });

export const html = (body: string) =>
  new Response(`<!doctype html><html><head></head><body>${body}</body></html>`, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });

/** A part of a list, from an offset. */
export const part = <T>(all: readonly T[], from: number, count: number): T[] => all.slice(from, from + count);

export const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
