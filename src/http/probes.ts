/** Whether a server takes questions; `disconnected` is one that cannot reach the database which it shares with others. */
export type Readiness = "ok" | "stopping" | "disconnected";

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
  return Response.json({ status }, { status: status === "ok" ? 200 : 503 });
}
