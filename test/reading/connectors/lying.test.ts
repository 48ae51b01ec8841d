import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import type { ConnectorKind } from "../../../src/reading/connectors/connectors.ts";
import type { WikiServer } from "../../contract/connector.ts";
import { type FakeSite, startFakeSite } from "../../helpers/fake-site.ts";
import { readConnected, readImages } from "./read-connected.ts";
import { startBookStack } from "./servers/bookstack.ts";
import { startConfluence } from "./servers/confluence.ts";
import { startConfluenceCloud } from "./servers/confluence-cloud.ts";
import { startDokuWiki } from "./servers/dokuwiki.ts";
import { startGitea } from "./servers/gitea.ts";
import { startGitHub } from "./servers/github.ts";
import { startGitLab } from "./servers/gitlab.ts";
import {
  type Lie,
  type LyingServer,
  liedReply,
  placesIn,
  startLying,
  valueAt,
  withValueAt,
} from "./servers/lying.ts";
import { startMediaWiki } from "./servers/mediawiki.ts";
import { startOutline } from "./servers/outline.ts";
import { startWikiJs } from "./servers/wikijs.ts";
import { startXWiki } from "./servers/xwiki.ts";

/*
 * What no server can make of whoever reads it, whatever it answers: each lies in one way, under each connector. A run may
 * end, and then it says why in words for people; it asks nobody else, and comes to an end.
 */

const SERVERS: readonly (readonly [string, ConnectorKind, () => WikiServer])[] = [
  ["Confluence Data Center", "confluence", () => startConfluence()],
  ["Confluence Cloud", "confluence", () => startConfluenceCloud()],
  ["MediaWiki", "mediawiki", startMediaWiki],
  ["BookStack", "bookstack", startBookStack],
  ["Outline", "outline", startOutline],
  ["Wiki.js", "wikijs", startWikiJs],
  ["DokuWiki", "dokuwiki", startDokuWiki],
  ["XWiki", "xwiki", startXWiki],
  ["GitLab", "gitlab", startGitLab],
  ["Gitea", "gitea", startGitea],
  ["GitHub", "github", startGitHub],
];

const TITLES = ["Page A", "Page B", "Page C", "Page D", "Page E", "Page F", "Page G"];
/** The fewest of which a list has two parts: each kind of reply comes, with every place that it has among more pages. */
const FEW_TITLES = TITLES.slice(0, 4);
/** Much more than an honest server of so few pages is asked. */
const REQUESTS_MAX = 120;

function lyingServer(start: () => WikiServer, lie: Lie, titles = TITLES): LyingServer {
  const honest = start();
  for (const title of titles) honest.put({ title, words: `About ${title}.`, showsImage: title === "Page A" });
  return startLying(honest, lie);
}

/** Another machine, which would take whatever it is asked. */
const startForeign = () => {
  const site = startFakeSite({});
  const reply = { headers: { "content-type": "application/json" }, body: "{}" };
  site.pages = new Proxy({}, { get: () => reply });
  return site;
};

/** An end that is none of the product's own faults. */
const isInOrder = (error: unknown) => error === undefined || error instanceof AppError;

const OWN_ADDRESS = /https?:\/\/127\.0\.0\.1:\d+/g;
const LATE = 2;

/** Everything that a server says of where something is leads there. */
const sayingItIsAt =
  (place: string): Lie =>
  (told) => {
    const link = told.headers.get("link")?.replaceAll(OWN_ADDRESS, place);
    const body = told.text.replaceAll(OWN_ADDRESS, place);
    return liedReply(told, { body, headers: link === undefined ? {} : { link } });
  };

const AWAY: readonly (readonly [string, (foreign: FakeSite) => Lie])[] = [
  ["says that all it has is on another host", ({ url }) => sayingItIsAt(url)],
  ["says that all it has is where clouds keep credentials", () => sayingItIsAt("http://169.254.169.254")],
  ["names another host in the path of its own", ({ host }) => sayingItIsAt(`http://x//${host}`)],
  [
    "names another host as the next part of each list",
    ({ host }) =>
      (told) => {
        const body = told.text.replace(/"next":"[^"]*"/, `"next":"//${host}/x?start=3"`);
        return liedReply(told, { body, headers: { link: `<//${host}/x>; rel="next"` } });
      },
  ],
  ...[302, 307].map(
    (status) =>
      [
        `redirects to another host with ${status}`,
        ({ url }: FakeSite): Lie =>
          (told, { nth }) =>
            nth < LATE ? undefined : liedReply(told, { status, headers: { location: `${url}/x` } }),
      ] as const,
  ),
];

describe.each(SERVERS)("a lying %s", (_, kind, start) => {
  test.each(AWAY)("that %s leads nobody there", async (_what, lie) => {
    await using foreign = startForeign();
    await using server = lyingServer(start, lie(foreign));
    const run = await readConnected(kind, server);
    expect(run.error).toSatisfy(isInOrder);
    expect(await readImages(kind, server).catch((error: unknown) => error)).toSatisfy(
      (images) => Array.isArray(images) || images instanceof AppError,
    );
    expect(foreign.asked()).toEqual([]);
    expect(server.asked).toBeLessThan(REQUESTS_MAX);
  });

  const ROUND: readonly (readonly [string, () => Lie])[] = [
    [
      "redirects in a circle",
      () =>
        (told, { nth, url }) =>
          nth < LATE ? undefined : liedReply(told, { status: 302, headers: { location: url.pathname } }),
    ],
    [
      "has lists whose next parts go in a circle",
      () =>
        (told, { url }) => {
          const next = (Number(url.searchParams.get("page") ?? 1) % 3) + 1;
          return liedReply(told, { headers: { link: `<${url.pathname}?page=${next}>; rel="next"` } });
        },
    ],
    [
      "always says the same",
      () => {
        const first = new Map<string, string>();
        return (told, { url }) => {
          const body = first.get(url.pathname) ?? told.text;
          first.set(url.pathname, body);
          return liedReply(told, { body });
        };
      },
    ],
    [
      "goes on from the same place for ever",
      () => (told) => {
        const body = told.text.replace(/"continue":\{[^}]*\}/, '"continue":{"continue":"-||"}');
        return liedReply(told, { body: body.replace('"hasNextPage":false', '"hasNextPage":true') });
      },
    ],
  ];

  test.each(ROUND)("that %s is asked a few times, and no more", async (_what, lie) => {
    await using server = lyingServer(start, lie());
    const run = await readConnected(kind, server);
    expect(run.error).toSatisfy(isInOrder);
    expect(server.asked).toBeLessThan(REQUESTS_MAX);
  });

  test("that has another page whenever it is asked is left at a bound", async () => {
    const listing = { requestsMax: 200, bytesMax: 100_000_000 };
    await using server = lyingServer(start, (told, { nth, url }) =>
      told.isJson
        ? liedReply(told, {
            body: JSON.stringify(renumbered(jsonOf(told.text), nth)),
            headers: { link: `<${url.pathname}?page=${nth}>; rel="next"` },
          })
        : undefined,
    );
    const run = await readConnected(kind, server, { pagesMax: 1_000_000, listing });
    expect(run.error).toSatisfy(isInOrder);
    expect(server.asked).toBeLessThanOrEqual(listing.requestsMax + REQUESTS_MAX);
  });

  const LARGE: readonly (readonly [string, Lie])[] = [
    ["sends a body without an end", (told) => liedReply(told, { body: endlessBody() })],
    [
      "sends little that unpacks to much",
      (told) => liedReply(told, { body: PACKED, headers: { "content-encoding": "gzip" } }),
    ],
    ["nests its reply deeply", (told) => liedReply(told, { body: "[".repeat(1_000_000) })],
  ];

  test.each(LARGE)("that %s ends the run with words for people", async (_what, lie) => {
    await using server = lyingServer(start, (told, asked) =>
      asked.nth < LATE ? undefined : lie(told, asked),
    );
    expect((await readConnected(kind, server)).error).toBeInstanceOf(AppError);
  });

  test("that has deeply nested names and values beside its own is read", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    await using server = lyingServer(start, (told) => {
      const body = told.text.replace(/^(\[?\{)/, `$1"deep":${deep},`);
      return told.isJson ? liedReply(told, { body }) : undefined;
    });
    const run = await readConnected(kind, server);
    expect(run.error).toBeUndefined();
    expect(run.paths).toHaveLength(TITLES.length);
  });

  test("with a wrong value at any place of any reply is read, or ends the run with words for people", async () => {
    const lies = await wrongValues(kind, start);
    expect(lies.length).toBeGreaterThan(20);
    const faults: string[] = [];
    let lie: Lie = () => undefined;
    await using server = lyingServer(start, (told, asked) => lie(told, asked), FEW_TITLES);
    for (const { path, way, value } of lies) {
      lie = (told, { url }) =>
        told.isJson && url.pathname === path
          ? liedReply(told, { body: JSON.stringify(withValueAt(jsonOf(told.text), way, value)) })
          : undefined;
      const before = server.asked;
      const { error, items } = await readConnected(kind, server);
      const asked = server.asked - before;
      const what = `${path} ${way.join(".")} = ${JSON.stringify(value).slice(0, 40)}`;
      if (!isInOrder(error)) faults.push(`${what}: ${error}`);
      if (asked > REQUESTS_MAX) faults.push(`${what}: asked ${asked} times`);
      for (const { location } of Object.values(items))
        if (!/^https?:/.test(location)) faults.push(`${what}: listed ${location.slice(0, 100)}`);
    }
    expect(faults).toEqual([]);
  });
});

const jsonOf = (text: string): unknown => (text === "" ? null : JSON.parse(text));

const endlessBody = () =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1_000_000).fill(0x20));
    },
  });
const PACKED = Bun.gzipSync(new Uint8Array(100_000_000));

/** What names things is another at each request, and no list is at its end. */
function renumbered(value: unknown, nth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => renumbered(each, nth));
  if (typeof value !== "object" || value === null) return value;
  const another = (name: string, each: unknown): unknown => {
    if (name === "hasNextPage") return true;
    if (name === "total") return 1_000_000;
    if (/^(?:id|pageid|number|iid|databaseId)$/.test(name)) {
      if (typeof each === "number") return each + nth * 100;
      if (/^\d{1,15}$/.test(String(each))) return String(Number(each) + nth * 100);
    }
    const isName = /^(?:title|slug|path|pageName|pageFullName|endCursor|gapcontinue|continue)$/.test(name);
    return isName && typeof each === "string" ? `${each}${nth}` : renumbered(each, nth);
  };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, another(name, each)]));
}

const HALF_LETTER = "\ud800";
const WRONG: readonly unknown[] = [
  null,
  -1,
  1e308,
  "",
  [],
  {},
  true,
  [[[]]],
  "http://[",
  "javascript:alert(1)",
  "//evil.example/x",
  "../../..",
  "@evil.example/$1",
  "\u0000",
  "__proto__",
  "a/".repeat(3000),
  "a:".repeat(3000),
  "a.".repeat(3000),
];

interface WrongValue {
  path: string;
  way: readonly string[];
  value: unknown;
}

/** For each place in each kind of reply of an honest server a wrong value, one after the other; for a text half a letter, too. */
async function wrongValues(kind: ConnectorKind, start: () => WikiServer): Promise<WrongValue[]> {
  const wrong = new Map<string, WrongValue[]>();
  await using server = lyingServer(
    start,
    (told, { url }) => {
      if (!told.isJson) return undefined;
      const reply = jsonOf(told.text);
      for (const way of placesIn(reply)) {
        const place = `${url.pathname.replace(/\d+/g, "0")} ${way.join(".")}`;
        const next = WRONG[wrong.size % WRONG.length];
        const values = typeof valueAt(reply, way) === "string" ? [next, HALF_LETTER] : [next];
        if (!wrong.has(place))
          wrong.set(
            place,
            values.map((value) => ({ path: url.pathname, way, value })),
          );
      }
      return undefined;
    },
    FEW_TITLES,
  );
  await readConnected(kind, server);
  return [...wrong.values()].flat();
}
