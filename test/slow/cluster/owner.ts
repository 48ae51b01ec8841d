import { type Cluster, type ClusterServer, writePages } from "./cluster.ts";
import { generationsIn, post } from "./readers.ts";

/** What owners did, and how soon it was seen. */
export interface Done {
  /** The last generation that was published. */
  generation: number;
  /** Replies that came after it was published, and told of another one. */
  lateGenerations: string[];
  changes: number;
  /** Replies that came after a setting was changed, and told of the one before. */
  lateSettings: string[];
  /** From the end of each change until each server had told of it. */
  seenAfterMs: number[];
  /** Why runs and changes failed that were tried again. */
  failures: string[];
}

export const nothingDone = (): Done => ({
  generation: 0,
  lateGenerations: [],
  changes: 0,
  lateSettings: [],
  seenAfterMs: [],
  failures: [],
});

export interface OwnerOptions {
  cluster: Cluster;
  key: string;
  adminKey: string;
  stop: AbortSignal;
}

/** A server that says nothing for so long is left: it is being killed, or cut off. */
const PATIENCE_MS = 5000;

/** Publishes one generation, however often it has to be tried; then asks each server that answers. */
export async function publish(done: Done, { cluster, key }: OwnerOptions): Promise<void> {
  const number = done.generation + 1;
  writePages(cluster.place, "docs", number);
  for (;;) {
    const { code, err } = await cluster.place.run("ingest", "acme", "docs");
    if (code === 0) break;
    done.failures.push(err);
    await Bun.sleep(100);
  }
  done.generation = number;
  const body = { query: "zirconium pump release", pageSize: 10 };
  await Promise.all(
    cluster.servers.map(async ({ url }) => {
      const text = await replyOf(() =>
        post(`${url}/v1/search/acme`, key, body, { signal: AbortSignal.timeout(PATIENCE_MS) }),
      );
      const seen = generationsIn(text ?? "");
      if (text !== undefined && seen.join() !== String(number))
        done.lateGenerations.push(`${seen} at ${number}`);
    }),
  );
}

/** The text of a reply; undefined where the server could not give it. */
async function replyOf(request: () => Promise<Response>): Promise<string | undefined> {
  try {
    const reply = await request();
    const text = await reply.text();
    return reply.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Publishes one generation after the other, with a pause between them. */
export async function keepPublishing(done: Done, options: OwnerOptions & { pauseMs: number }): Promise<void> {
  while (!options.stop.aborted) {
    await publish(done, options);
    await Bun.sleep(options.pauseMs);
  }
}

/** Changes a setting again and again, on one server after the other, and looks at all of them. */
export async function keepChanging(done: Done, options: OwnerOptions & { pauseMs: number }): Promise<void> {
  const { cluster, stop, pauseMs } = options;
  for (let turn = 0; !stop.aborted; turn++) {
    await change(done, options, cluster.servers[turn % cluster.servers.length]);
    await Bun.sleep(pauseMs);
  }
}

async function change(done: Done, options: OwnerOptions, at: ClusterServer | undefined): Promise<void> {
  const contact = `owner-${done.changes + 1}@example.com`;
  const changed = await replyOf(() =>
    fetch(`${at?.url}/v1/admin/sites/acme`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${options.adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ settings: { contact } }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }),
  );
  if (changed === undefined) return;
  done.changes += 1;
  const changedAt = performance.now();
  await Promise.all(
    options.cluster.servers.map(async ({ url }) => {
      const shown = await replyOf(() =>
        fetch(`${url}/v1/widget/acme`, {
          headers: { authorization: `Bearer ${options.key}` },
          signal: AbortSignal.timeout(PATIENCE_MS),
        }),
      );
      if (shown === undefined) return;
      if (shown.includes(`"${contact}"`)) done.seenAfterMs.push(performance.now() - changedAt);
      else done.lateSettings.push(`${shown} for ${contact}`);
    }),
  );
}
