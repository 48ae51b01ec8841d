import type { z } from "zod";
import { now } from "./clock.ts";
import { type Connection, connect, encodeRequest } from "./connection.ts";
import {
  type LoadSpec,
  loadSpec,
  type requestsReply,
  type StreamResult,
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

async function requests({
  asked,
  connections,
  seconds,
}: Spec<"requests">): Promise<z.infer<typeof requestsReply>> {
  const request = encodeRequest(asked);
  const open = await Promise.all(Array.from({ length: connections }, () => connect(asked.url)));
  const statuses: Record<string, number> = {};
  const latenciesMs: number[] = [];
  const startedAt = now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    open.map(async (connection) => {
      while (now() < endsAt) {
        const reply = await connection.send(request);
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
        latenciesMs.push(now() - reply.startedAt);
      }
      connection.close();
    }),
  );
  return { seconds: (now() - startedAt) / 1000, statuses, latenciesMs };
}

const spec = loadSpec.parse(JSON.parse(process.argv[2] ?? ""));
const result = spec.kind === "streams" ? await streams(spec) : await requests(spec);
process.stdout.write(JSON.stringify(result));
