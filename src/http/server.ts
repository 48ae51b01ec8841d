import { Elysia } from "elysia";
import type { Analytics } from "../analytics/analytics.ts";
import type { Gaps } from "../analytics/gaps/gaps.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Search } from "../search/search.ts";
import type { Assets } from "../web/assets.ts";
import { adminOperations } from "./admin/admin.ts";
import { operationRoutes } from "./admin/operation.ts";
import type { AdminOptions } from "./admin/options.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { analyticsOperations } from "./analytics/analytics.ts";
import { gapOperations } from "./analytics/gaps.ts";
import { assetRoutes } from "./dashboard/assets.ts";
import { dashboardRoutes, isHiddenPage } from "./dashboard/dashboard.ts";
import { errorPlugin } from "./errors.ts";
import { corsPlugin } from "./guard/cors.ts";
import { checkSentHere } from "./guard/host-check.ts";
import { checkHeaderSize } from "./header-size.ts";
import { healthRoutes } from "./health.ts";
import { type McpRouteOptions, mcpRoutes } from "./mcp/mcp.ts";
import { type MessageOptions, messageRoutes } from "./messages/messages.ts";
import { v1Message } from "./messages/v1.ts";
import { v2Message } from "./messages/v2.ts";
import { type MeasuredReplies, metricsPlugin, metricsRoutes } from "./metrics/metrics.ts";
import { chatCompletions } from "./openai/chat.ts";
import { isOpenaiPath, openaiErrorBody } from "./openai/errors.ts";
import { openaiModelRoutes } from "./openai/models.ts";
import { openaiRoute } from "./openai/openai.ts";
import { responses } from "./openai/responses.ts";
import { openApiRoutes } from "./openapi/openapi.ts";
import { apiOperations } from "./openapi/operations/operations.ts";
import { publicHostPlugin } from "./public-site/host.ts";
import { readerRoutes } from "./reader-site/reader-site.ts";
import type { ReaderOptions } from "./reader-site/request.ts";
import { type SessionOptions, sessionOperations, sessionRoutes } from "./session/session.ts";
import { eventOperation } from "./site-api/events.ts";
import { feedbackOperation } from "./site-api/feedback.ts";
import { pageOperation } from "./site-api/page.ts";
import { searchOperation } from "./site-api/search.ts";
import { lookupRoute } from "./site-api/site-api.ts";
import { widgetRoute } from "./site-api/widget.ts";

export interface ServerOptions {
  messages: MessageOptions;
  search: Search;
  reader: Omit<ReaderOptions, "assets">;
  /** The browser code. */
  assets: Assets;
  admin: AdminOptions;
  session: SessionOptions;
  analytics: Analytics;
  gaps: Gaps;
  mcp: Omit<McpRouteOptions, "guard" | "bodyBytesMax" | "bodyMs">;
  basePath: string;
  ids: Ids;
  clock: Clock;
  /** What hears of every reply; undefined where nothing is measured. */
  metrics?: MeasuredReplies | undefined;
  log: Log;
  isReady: () => boolean;
}

/** Every route of the server, in the order in which a request passes them. */
export function createServer({
  messages,
  search,
  reader,
  assets,
  admin,
  session,
  analytics,
  gaps,
  mcp,
  basePath,
  ids,
  clock,
  metrics,
  log,
  isReady,
}: ServerOptions) {
  const { directory } = messages.guard;
  // One instance at both places: what it remembers, it remembers once.
  const operations = new Elysia()
    .use(messageRoutes(messages, v1Message))
    .use(messageRoutes(messages, v2Message))
    .use(lookupRoute(messages, searchOperation(search, analytics.searchLog)))
    .use(lookupRoute(messages, pageOperation(reader.pages)))
    .use(lookupRoute(messages, feedbackOperation(analytics.feedback)))
    .use(lookupRoute(messages, eventOperation(analytics.events)))
    .use(widgetRoute({ ...messages, ...reader }))
    .use(openaiRoute(messages, clock, chatCompletions))
    .use(openaiRoute(messages, clock, responses))
    .use(openaiModelRoutes(messages.guard));
  const ofAdmins = adminOperations(admin);
  const { retention } = admin;
  const ofAnalytics = [
    ...analyticsOperations({ analytics, retention, streams: messages.streams }),
    ...gapOperations(gaps),
  ];
  const described = apiOperations({
    bounds: { messageCharacters: messages.messageCharactersMax },
    admin: ofAdmins,
    analytics: ofAnalytics,
    session: sessionOperations(session),
    hasMetrics: metrics?.here !== undefined,
  });
  const checkHost = (request: Request) =>
    checkSentHere(request, session.door.isNamedHost, reader.publicUrl());
  const errorBodyAt = (path: string) =>
    isOpenaiPath(path.slice(basePath.length)) ? openaiErrorBody : undefined;
  const methodsAt = allowedMethods(() => server.routes);
  const allowedAt = (path: string, request: Request) =>
    isHiddenPage(directory, path.slice(basePath.length), request) ? [] : methodsAt(path);
  const server = new Elysia({ prefix: basePath })
    .onRequest(async ({ request, set }) => {
      set.headers["x-request-id"] = ids.ulid();
      checkHeaderSize(request);
      await directory.refresh();
    })
    .use(metricsPlugin(metrics, clock, basePath))
    .use(errorPlugin(log, { bodyAt: errorBodyAt, allowedAt }))
    .use(publicHostPlugin({ ...reader, observeReply: metrics?.observeReply, clock }))
    .use(corsPlugin(messages.guard, basePath))
    .use(healthRoutes(isReady))
    .use(metrics?.here === undefined ? new Elysia() : metricsRoutes(metrics.here, checkHost))
    .use(operations)
    .group("/discovery", (discovery) => discovery.use(operations))
    .use(sessionRoutes(session))
    .use(operationRoutes(admin.door, "/v1/admin", ofAdmins))
    .use(operationRoutes(admin.door, "/v1/analytics", ofAnalytics))
    .use(mcpRoutes({ ...messages, ...mcp }))
    .use(openApiRoutes({ version: admin.version, operations: described, url: reader.publicUrl }))
    .use(assetRoutes(assets))
    .use(
      dashboardRoutes({
        assets,
        directory,
        basePath,
        publicUrl: reader.publicUrl,
        isNamedHost: session.door.isNamedHost,
      }),
    )
    .use(readerRoutes({ ...reader, assets }));
  return server;
}
