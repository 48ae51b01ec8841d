import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { createGuardedFetch } from "../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../src/kernel/lib/seal/seal.ts";
import type { ConnectorKind } from "../../src/reading/connectors/connectors.ts";
import { isSkipped } from "../../src/reading/source-reader.ts";
import {
  type ConnectedOptions,
  createConnectedReader,
} from "../../src/reading/sources/connected/connected.ts";
import type { FakeRequest } from "../helpers/fake-site.ts";
import { listContext } from "../helpers/list-context.ts";
import { runReader, type SiteRun } from "../helpers/read-site.ts";

/** A page as a test has it put on a server, which keeps it in its own form. */
export interface WikiPage {
  title: string;
  /** In plain letters, and on one line. */
  words: string;
  /** The title of another page that it links to. */
  linksTo?: string;
  /** Whether it shows the server's image. */
  showsImage?: boolean;
}

/** A server of a connector's kind on the loopback address, empty at first, which answers as its documentation says. */
export interface WikiServer extends AsyncDisposable {
  /** What a source names. */
  readonly address: string;
  /** What a source's variable holds. */
  readonly secret: string;
  /** A list has no more pages than this in one reply. */
  readonly pagesInReply: number;
  /** Whether its list of changes names what was removed; a server without one is asked for the list of all pages. */
  readonly tellsChanges: boolean;
  /** The image that pages show, as it is read. */
  readonly image: Uint8Array;
  put(page: WikiPage): void;
  remove(title: string): void;
  /** Hides a page from whoever the secret belongs to. */
  hide(title: string): void;
  /** What it has been asked, in order; signed in or not. */
  readonly requests: FakeRequest[];
  /** The next requests, so many, get this reply. */
  failNext(times: number, reply: { status: number; headers?: Record<string, string>; body?: string }): void;
}

type Change = Partial<Pick<ConnectedOptions, "secret" | "pagesMax" | "get">>;

/** What every connector guarantees, as its pages come into an index. */
export function describeConnector(kind: ConnectorKind, start: () => Promise<WikiServer>): void {
  const fetchOf = ({ address }: WikiServer, privateHosts = ["127.0.0.1"]) =>
    createGuardedFetch({ seal: UNSEALED, hosts: [new URL(address).host], privateHosts });
  const readerOf = (server: WikiServer, change: Change = {}) =>
    createConnectedReader({
      kind,
      location: server.address,
      get: fetchOf(server),
      secret: server.secret,
      siteUrl: undefined,
      pageBytesMax: 1_000_000,
      pagesMax: 1000,
      concurrency: 4,
      sleep: async () => {},
      random: () => 0.5,
      ...change,
    });
  const read = (
    server: WikiServer,
    before?: SiteRun,
    { keepDocs = () => {}, ...change }: Change & { keepDocs?: () => void } = {},
  ) =>
    runReader(readerOf(server, change), before?.memory, {
      ...listContext(undefined, before?.memory),
      keepDocs,
    });
  const pageOf = (run: SiteRun, title: string) =>
    Object.entries(run.texts).find(([, text]) => text.includes(`"title":${JSON.stringify(title)}`));
  const titled = (count: number) =>
    Array.from({ length: count }, (_, at) => `Page ${String.fromCharCode(65 + at)}`);

  describe(`connector: ${kind}`, () => {
    test("every page is listed once, in however many replies the list comes", async () => {
      await using server = await start();
      const titles = titled(server.pagesInReply * 2 + 1);
      for (const title of titles) server.put({ title, words: `About ${title}.` });
      const run = await read(server);
      expect(run.error).toBeUndefined();
      expect(titles.filter((title) => pageOf(run, title) === undefined)).toEqual([]);
      expect(new Set(run.paths).size).toBe(run.paths.length);
      expect(run.paths.length).toBe(titles.length);
    });

    test("a page has its title and its words, and nothing of its markup", async () => {
      await using server = await start();
      server.put({ title: "Install guide", words: "Copy the binary to /usr/local/bin & run it." });
      const run = await read(server);
      const [, text = ""] = pageOf(run, "Install guide") ?? [];
      expect(text).toContain("Copy the binary to /usr/local/bin & run it.");
      expect(text.split("\n---\n")[1] ?? "").not.toMatch(/<[a-z/]|&[a-z]+;|\{\{|\[\[/);
    });

    test("a link to another page leads to where that one is listed", async () => {
      await using server = await start();
      server.put({ title: "Server", words: "The server." });
      server.put({ title: "Install guide", words: "First read this.", linksTo: "Server" });
      const run = await read(server);
      const [path = ""] = pageOf(run, "Server") ?? [];
      const location = run.items[path]?.location ?? "none";
      expect(pageOf(run, "Install guide")?.[1]).toContain(`(${location}`);
    });

    test("an image is asked for with what the source signs in with", async () => {
      await using server = await start();
      server.put({ title: "Install guide", words: "As shown here.", showsImage: true });
      const images: (Uint8Array | undefined)[] = [];
      for await (const item of readerOf(server).list(listContext())) {
        if (isSkipped(item)) continue;
        const text = new TextDecoder().decode(await item.read());
        const reference = /!\[[^\]]*\]\(([^)\s]+)/.exec(text)?.[1] ?? "";
        images.push(await item.imageFile?.(reference)?.read?.());
      }
      expect(images).toEqual([server.image]);
    });

    test("only what has changed is read again", async () => {
      await using server = await start();
      for (const title of titled(3)) server.put({ title, words: `About ${title}.` });
      const first = await read(server);
      const same = await read(server, first);
      expect(same.error).toBeUndefined();
      expect(same.paths.toSorted()).toEqual(first.paths.toSorted());
      expect(same.texts).toEqual({});
      server.put({ title: "Page B", words: "New words." });
      const next = await read(server, same);
      expect(Object.keys(next.texts)).toHaveLength(1);
      expect(pageOf(next, "Page B")?.[1]).toContain("New words.");
      expect(next.paths.toSorted()).toEqual(first.paths.toSorted());
    });

    test("a page that was removed, or hidden, is no longer there, and a new one is", async () => {
      await using server = await start();
      for (const title of titled(4)) server.put({ title, words: `About ${title}.` });
      const first = await read(server);
      const pathOf = (title: string) => pageOf(first, title)?.[0] ?? "none";
      server.remove("Page B");
      const second = await read(server, first);
      expect(second.error).toBeUndefined();
      expect(first.paths.filter((path) => !second.paths.includes(path))).toEqual([pathOf("Page B")]);
      server.hide("Page C");
      server.put({ title: "Page E", words: "About E." });
      const third = await read(server, second);
      expect(second.paths.filter((path) => !third.paths.includes(path))).toEqual([pathOf("Page C")]);
      expect(pageOf(third, "Page E")?.[1]).toContain("About E.");
    });

    test("where nothing has changed, a server that tells changes is not asked for its pages", async () => {
      await using server = await start();
      if (!server.tellsChanges) return;
      for (const title of titled(3)) server.put({ title, words: `About ${title}.` });
      const first = await read(server);
      const before = server.requests.length;
      const kept: string[] = [];
      await read(server, first, { keepDocs: () => void kept.push("kept") });
      expect(kept).toEqual(["kept"]);
      expect(server.requests.length - before).toBeLessThan(before);
    });

    test("what the source signs in with is refused in words, if the server does not take it", async () => {
      await using server = await start();
      server.put({ title: "Install guide", words: "Words." });
      const { error } = await read(server, undefined, { secret: `${server.secret}x` });
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: "forbidden" });
      expect(String(error)).not.toContain(server.secret);
    });

    test("a server at an address that the operator has not allowed is said to be that, and nothing else", async () => {
      await using server = await start();
      const { error } = await read(server, undefined, { get: fetchOf(server, []) });
      expect(error).toMatchObject({
        code: "forbidden",
        hint: expect.stringContaining("Change the server's configuration"),
      });
      expect(server.requests).toEqual([]);
    });

    test("a server that has too much to do is asked again", async () => {
      await using server = await start();
      server.put({ title: "Install guide", words: "Words." });
      server.failNext(2, { status: 429, headers: { "retry-after": "0" } });
      const run = await read(server);
      expect(run.error).toBeUndefined();
      expect(run.paths).toHaveLength(1);
    });

    test.each([
      ["a page of HTML", { status: 200, body: "<!doctype html><title>Hello</title>" }],
      ["JSON of another kind", { status: 200, body: '{"hello":"world"}' }],
      ["half of its JSON", { status: 200, body: '{"pages":[{"id":' }],
      ["an error", { status: 500, body: "Internal error" }],
    ])("a server that answers with %s ends the run in words", async (_, reply) => {
      await using server = await start();
      server.put({ title: "Install guide", words: "Words." });
      server.failNext(1000, reply);
      const { error, paths } = await read(server);
      expect(error).toBeInstanceOf(AppError);
      expect(["unavailable", "not_found"]).toContain(error instanceof AppError ? error.code : "");
      expect(paths).toEqual([]);
    });

    test("of a server with too many pages no more are listed than tell so", async () => {
      await using server = await start();
      for (const title of titled(server.pagesInReply * 4)) server.put({ title, words: "Words." });
      const { paths } = await read(server, undefined, { pagesMax: server.pagesInReply });
      expect(paths.length).toBe(server.pagesInReply + 1);
    });
  });
}
