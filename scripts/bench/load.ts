import type { z } from "zod";
import { now } from "./clock.ts";
import { type Connection, connect, encodeRequest } from "./connection.ts";
import {
  type LoadSpec,
  loadSpec,
  type requestsReply,
  type StreamResult,
  type scheduleReply,
  type streamsReply,
} from "./load-spec.ts";
import { readTokens } from "./token.ts";

// Generates load in a process of its own, so that it does not share a thread with what it measures. `bun
// scripts/bench/load.ts <spec as JSON>` prints the result as JSON.

type Spec<K extends LoadSpec["kind"]> = Extract<LoadSpec, { kind: K }>;

async function streams({ asked, streams: count }: Spec<"streams">): Promise<z.infer<typeof streamsReply>> {
  const request = encodeRequest(asked);
  const connections = await Promise.all(Array.from({ length: count }, () => connect(asked.url)));
  const startedAt = now();
  const results = await Promise.all(connections.map((connection) => stream(connection, request)));
  const seconds = (now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  return { streams: results, seconds };
}

async function stream(connection: Connection, request: string): Promise<StreamResult> {
  const lagsMs: number[] = [];
  let firstTokenAt: number | undefined;
  let inOrder = true;
  let rest = "";
  const { status, startedAt, firstByteAt } = await connection.send(request, (text, at) => {
    const end = (rest + text).lastIndexOf("\n") + 1;
    const lines = (rest + text).slice(0, end);
    rest = (rest + text).slice(end);
    for (const { index, sentAt } of readTokens(lines)) {
      inOrder &&= index === lagsMs.length;
      firstTokenAt ??= at;
      lagsMs.push(at - sentAt);
    }
  });
  const firstTokenMs = firstTokenAt === undefined ? null : firstTokenAt - startedAt;
  return {
    status,
    firstByteMs: firstByteAt - startedAt,
    firstTokenMs,
    totalMs: now() - startedAt,
    lagsMs,
    inOrder,
  };
}

const requests = ({ asked, ...rest }: Spec<"requests">) => spread({ servers: [[asked]], ...rest });

async function spread({
  servers,
  connections,
  seconds,
}: Omit<Spec<"spread">, "kind">): Promise<z.infer<typeof requestsReply>> {
  const open = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const asked = servers[index % servers.length] ?? [];
      return { connection: await connect(asked[0]?.url ?? ""), requests: asked.map(encodeRequest), index };
    }),
  );
  const statuses: Record<string, number> = {};
  const latenciesMs: number[] = [];
  const startedAt = now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    open.map(async ({ connection, requests, index }) => {
      // Each begins with another request.
      for (let next = index; now() < endsAt; next++) {
        const reply = await connection.send(requests[next % requests.length] ?? "");
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
        latenciesMs.push(now() - reply.startedAt);
      }
      connection.close();
    }),
  );
  return { seconds: (now() - startedAt) / 1000, statuses, latenciesMs };
}

async function schedule({
  asked,
  perSecond,
  seconds,
}: Spec<"schedule">): Promise<z.infer<typeof scheduleReply>> {
  const requests = asked.map(encodeRequest);
  const idle: Connection[] = [];
  const statuses: Record<string, number> = {};
  const latenciesMs: number[] = [];
  const startedAt = now();
  const send = async (number: number) => {
    const due = startedAt + (number * 1000) / perSecond;
    await Bun.sleep(Math.max(0, due - now()));
    // A timer may be early.
    const from = Math.min(due, now());
    const connection = idle.pop() ?? (await connect(asked[0]?.url ?? ""));
    const { status } = await connection.send(requests[number % requests.length] ?? "");
    latenciesMs.push(now() - from);
    statuses[status] = (statuses[status] ?? 0) + 1;
    idle.push(connection);
  };
  await Promise.all(Array.from({ length: perSecond * seconds }, (_, number) => send(number)));
  for (const connection of idle) connection.close();
  return { statuses, latenciesMs };
}

const spec = loadSpec.parse(JSON.parse(process.argv[2] ?? ""));
const run = () => {
  if (spec.kind === "streams") return streams(spec);
  if (spec.kind === "schedule") return schedule(spec);
  return spec.kind === "requests" ? requests(spec) : spread(spec);
};
const result = await run();
process.stdout.write(JSON.stringify(result));
