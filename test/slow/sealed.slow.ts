import { expect, test } from "bun:test";
import { join } from "node:path";
import { ended } from "../helpers/ended.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { type Destination, destinationsIn } from "./sealed/destinations.ts";

const DAY = join(import.meta.dir, "sealed/day.ts");
/** A network of its own that has nothing but a loopback device. */
const ALONE = ["unshare", "--map-root-user", "--net", "--"];

/** What keeps this machine from running it; undefined where nothing does. */
function missing(): string | undefined {
  if (process.platform !== "linux") return "only Linux has network namespaces";
  const tools = ["strace", "unshare", "ip"].filter((tool) => Bun.which(tool) === null);
  if (tools.length > 0) return `${tools.join(", ")} not installed`;
  const tried = Bun.spawnSync([...ALONE, "ip", "link", "set", "lo", "up"], { stderr: "pipe" });
  return tried.success ? undefined : `no network namespace: ${tried.stderr.toString().trim()}`;
}

const why = missing();
if (why !== undefined) process.stderr.write(`The test of a sealed Docent is left out: ${why}.\n`);

test("what strace writes is read: of both kinds of address, and of those alone", () => {
  const trace = [
    '12 connect(9, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16) = -1 EINPROGRESS',
    '12 connect(9, {sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
    '12 sendto(4, "x", 1, MSG_NOSIGNAL, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.53")}, 16) = 1',
    '12 connect(9, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT',
    '12 sendto(14, "HTTP/1.1 200 OK"..., 200, MSG_DONTWAIT, NULL, 0) = 200',
  ].join("\n");
  expect(destinationsIn(trace)).toEqual([
    { host: "192.0.2.7", port: 443 },
    { host: "192.0.2.53", port: 53 },
    { host: "2001:db8::1", port: 53 },
  ]);
});

test.skipIf(why !== undefined)(
  "a sealed Docent does a whole day's work, and dials Ollama alone",
  async () => {
    using folder = temporaryDirectory();
    const up = `ip link set lo up && exec "$@"`;
    const child = Bun.spawn([...ALONE, "sh", "-c", up, "sh", process.execPath, DAY, folder.path], {
      env: { ...process.env },
      stdout: "pipe",
      stderr: "pipe",
    });
    const { out, err, code } = await ended(child);
    expect([code, err]).toEqual([0, ""]);
    const day = JSON.parse(out);
    const isOllama = ({ host, port }: Destination) =>
      day.ollamas.some((each: Destination) => each.host === host && each.port === port);
    expect(day.programs).toBeGreaterThan(10);
    expect(day.asked).toBeGreaterThan(1);
    expect(day.sealed.filter(isOllama).length).toBeGreaterThan(1);
    expect(day.sealed.filter((each: Destination) => !isOllama(each))).toEqual([]);
    // Where it is not sealed, what it dials is counted.
    expect(day.open).toContainEqual({ host: "192.0.2.7", port: 80 });
  },
);
