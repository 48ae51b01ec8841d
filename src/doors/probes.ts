/**
 * Whether a server takes questions. `unstored` is one that takes them and can store nothing, such as on a full disk;
 * `disconnected` one that cannot reach the database which it shares with others.
 */
export type Readiness = "ok" | "unstored" | "stopping" | "disconnected";

export const LIVENESS = "/health/live";
export const READINESS = "/health/ready";
const PROBES = [LIVENESS, READINESS] as const;
type Probe = (typeof PROBES)[number];

/** Which of these is asked, again and again, by a program that wants an answer also where there is none to any question. */
export function probeAt({ url }: Request, basePath: string): Probe | undefined {
  const path = URL.parse(url)?.pathname;
  return PROBES.find((probe) => path === `${basePath}${probe}`);
}

/** What it is told. */
export async function sayHealth(probe: Probe, readiness: () => Promise<Readiness>): Promise<Response> {
  const status = probe === LIVENESS ? "ok" : await readiness();
  // Another server could not store anything either: load balancers go on sending questions here.
  if (status === "unstored") return Response.json({ status: "ok", unstored: true });
  return Response.json({ status }, { status: status === "ok" ? 200 : 503 });
}
