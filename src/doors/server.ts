import type { HandOver } from "@docent/answering/handover/handover";
import type { Search } from "@docent/finding/search/search";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import type { Analytics } from "@docent/measuring/analytics";
import type { Gaps } from "@docent/measuring/gaps/gaps";
import { Elysia } from "elysia";
import { type AdminOptions, adminOperations } from "./admin/admin.ts";
import { adminGuards } from "./admin/guard.ts";
import { analyticsOperations } from "./analytics/analytics.ts";
import type { Assets } from "./assets.ts";
import { type ChatOptions, chatOperations } from "./chat/chat.ts";
import { corsPlugin } from "./cors.ts";
import { assetRoutes } from "./dashboard/assets.ts";
import { dashboardRoutes, isHiddenPage } from "./dashboard/dashboard.ts";
import { errorPlugin, HttpError } from "./errors.ts";
import { checkSentHere } from "./guard/guard.ts";
import { disconnected, healthOperations } from "./health.ts";
import { type McpOptions, mcpOperations, resourceAtRootPlugin } from "./mcp-endpoint/mcp.ts";
import { type MessageOptions, messageOperations } from "./messages/messages.ts";
import { type MeasuredReplies, metricsOperation, metricsPlugin } from "./metrics.ts";
import { isOpenaiPath, openaiErrorBody } from "./openai/errors.ts";
import { openaiOperations } from "./openai/openai.ts";
import { type ApiDescription, describeApi, openApiOperation, referenceRoute } from "./openapi/openapi.ts";
import { mount, type Operation } from "./operation.ts";
import { probeAt, type Readiness } from "./probes.ts";
import { publicHostPlugin } from "./public-site/host.ts";
import { type ReaderSiteOptions, readerSiteRoutes } from "./reader-site/reader-site.ts";
import { type SessionOptions, sessionOperations } from "./session/session.ts";
import { type SignInOptions, signInOperations } from "./sign-in/sign-in.ts";
import { siteApiOperations } from "./site-api/site-api.ts";

/** The settings it reads, under their own names. */
interface ServerSettings {
  /** Of a request's body, unless its operation has another bound. */
  body_bytes: number;
  /** How long a body may take to arrive. */
  body_seconds: number;
  /** How long an answer to a chat may take. */
  chat_answer_seconds: number;
}

export interface ServerOptions {
  settings: ServerSettings;
  messages: MessageOptions;
  chat: Omit<ChatOptions, "log">;
  search: Search;
  reader: Omit<ReaderSiteOptions, "assets">;
  /** The browser code. */
  assets: Assets;
  /** How the page that shows the API to people looks. */
  referenceStyles: () => Promise<string>;
  admin: AdminOptions;
  session: SessionOptions;
  signIn: SignInOptions;
  analytics: Analytics;
  gaps: Gaps;
  handOver: HandOver;
  mcp: Omit<McpOptions, "guard" | "settings">;
  basePath: string;
  ids: Ids;
  clock: Clock;
  /** What hears of every reply; undefined where nothing is measured. */
  metrics?: MeasuredReplies | undefined;
  log: Log;
  readiness: () => Promise<Readiness>;
}

/** The server, as a table of contents: what a request passes, and the doors, in the order in which both are looked at. */
export function createServer(options: ServerOptions) {
  const { settings, messages, reader, assets, admin, session, basePath, ids, clock, metrics, log } = options;
  const { directory } = messages.guard;
  const { publicUrl } = reader;
  const { isNamedHost } = session.door;
  const description = describeApi({
    version: admin.version,
    operations: () => operations,
    url: publicUrl,
    styles: options.referenceStyles,
  });
  const operations = apiOperations(options, description);
  const bounds = { bytesMax: settings.body_bytes, milliseconds: settings.body_seconds * SECOND_MS };
  const atBothPlaces = mount(
    operations.filter(({ isInDiscovery }) => isInDiscovery),
    bounds,
  );
  const atOnePlace = mount(
    operations.filter(({ isInDiscovery }) => !isInDiscovery),
    bounds,
  );
  // The runtime's own router would be told of each route at the start, and answers no request sooner.
  const server = new Elysia({ prefix: basePath, systemRouter: false })
    .onRequest(async ({ request, set }) => {
      set.headers["x-request-id"] = ids.ulid();
      checkHeaderSize(request);
      if (probeAt(request, basePath) !== undefined) return;
      // Known at once, where a statement would wait for the database until it gives up.
      if ((await options.readiness()) === "disconnected") throw disconnected();
      await directory.refresh();
    })
    .use(metricsPlugin(metrics, clock, basePath))
    .use(errorPlugin(log, { bodyAt: errorBodyAt(basePath), allowedAt }))
    .use(publicHostPlugin({ ...reader, observeReply: metrics?.observeReply, clock }))
    .use(resourceAtRootPlugin(options.mcp))
    .use(corsPlugin(messages.guard, basePath))
    .use(atBothPlaces)
    .group("/discovery", (discovery) => discovery.use(atBothPlaces))
    .use(atOnePlace)
    .use(referenceRoute(description))
    .use(assetRoutes(assets))
    .use(dashboardRoutes({ assets, directory, basePath, publicUrl, isNamedHost }))
    .use(readerSiteRoutes({ ...reader, assets }));
  const methodsAt = allowedMethods(() => server.routes);
  function allowedAt(path: string, request: Request): string[] {
    return isHiddenPage(directory, path.slice(basePath.length), request) ? [] : methodsAt(path);
  }
  return server;
}

/** Every operation of the API, in the order of its documentation. What is not here are pages and files. */
function apiOperations(options: ServerOptions, description: ApiDescription): Operation[] {
  const { settings, messages, chat, search, reader, admin, session } = options;
  const { analytics, gaps, handOver, mcp, clock, log, metrics, readiness } = options;
  const { guard, streams } = messages;
  const { pages, publicUrl } = reader;
  const guards = adminGuards(admin.door.guard);
  const checkHost = (request: Request) => checkSentHere(request, session.door.isNamedHost, publicUrl());
  return [
    ...messageOperations(messages),
    ...siteApiOperations({ guard, search, pages, analytics, handOver, publicUrl }),
    ...openaiOperations(messages, clock),
    ...chatOperations({ ...messages, ...chat, settings: { ...settings, ...messages.settings }, clock, log }),
    ...analyticsOperations({ analytics, gaps, retention: admin.retention, streams }, guards),
    ...adminOperations(admin, guards),
    ...sessionOperations(session),
    ...signInOperations(options.signIn),
    ...mcpOperations({ ...mcp, guard, settings }),
    ...healthOperations(readiness),
    openApiOperation(description),
    ...(metrics?.here === undefined ? [] : [metricsOperation(metrics.here, checkHost)]),
  ];
}

const errorBodyAt = (basePath: string) => (path: string) =>
  isOpenaiPath(path.slice(basePath.length)) ? openaiErrorBody : undefined;

/** The methods that a path answers. */
type AllowedMethods = (path: string) => string[];

interface Route {
  method: string;
  /** With `:name` for one part of it, and `*` for whatever follows. */
  path: string;
}

/** Browsers send it before they ask across origins: the CORS plugin answers it, whatever the operation. */
const ASKED_BEFOREHAND = "OPTIONS";

/** Looks among the server's routes, which it reads with the first request of a wrong method: by then all are there. */
function allowedMethods(routes: () => readonly Route[]): AllowedMethods {
  let known: { pattern: RegExp; methods: string[] }[] | undefined;
  return (path) => {
    known ??= patternsOf(routes());
    return [
      ...new Set(known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []))),
    ].toSorted();
  };
}

function patternsOf(routes: readonly Route[]) {
  const asked = routes.filter(({ method }) => method !== ASKED_BEFOREHAND);
  return [...Map.groupBy(asked, ({ path }) => path)].map(([path, own]) => ({
    pattern: patternOf(path),
    methods: own.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])),
  }));
}

function patternOf(path: string): RegExp {
  const source = path
    .split("/")
    .map((part) => (part === "*" ? ".*" : part.startsWith(":") ? "[^/]+" : RegExp.escape(part)))
    .join("/");
  return new RegExp(`^${source}/?$`);
}

/** As much as most servers and proxies take. */
const HEADER_BYTES_MAX = 16_000;

/**
 * Refuses a request whose address and headers are larger than that. Bun would do so without a word: the binary lets it take
 * more (scripts/build.ts), so that whoever sent a little too much is told.
 */
function checkHeaderSize({ url, headers }: Request): void {
  let bytes = url.length;
  for (const [name, value] of headers) bytes += name.length + value.length;
  if (bytes > HEADER_BYTES_MAX)
    throw new HttpError(
      "headers_too_large",
      `The address and the headers of a request may have ${HEADER_BYTES_MAX / 1000} KB together. Send long text in the body, and fewer cookies.`,
    );
}
