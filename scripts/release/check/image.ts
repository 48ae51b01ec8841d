import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { expect, isHere, must, run, withServer } from "./run.ts";

const digest = z.string().transform((text) => `blobs/${text.replace(":", "/")}`);
const indexSchema = z.object({ manifests: z.array(z.object({ digest })) });
const manifestSchema = z.object({ config: z.object({ digest }), layers: z.array(z.object({ digest })) });
const configSchema = z.object({
  config: z.object({
    User: z.string(),
    Entrypoint: z.array(z.string()),
    Cmd: z.array(z.string()),
    Env: z.array(z.string()),
  }),
});
type Config = z.infer<typeof configSchema>["config"];
const specSchema = z.looseObject({
  process: z.looseObject({}),
  linux: z.looseObject({ namespaces: z.array(z.looseObject({ type: z.string() })) }),
  mounts: z.array(z.looseObject({ destination: z.string() })),
});

/** Lays the image's layers over each other in a folder. */
export async function unpackImage(image: string, place: string): Promise<{ root: string; config: Config }> {
  await rm(place, { recursive: true, force: true });
  const [blobs, root] = [join(place, "image"), join(place, "rootfs")];
  for (const each of [blobs, root]) await mkdir(each, { recursive: true });
  await must(["tar", "-xf", image, "-C", blobs]);
  const read = (path: string) => Bun.file(join(blobs, path)).json();
  const [first] = indexSchema.parse(await read("index.json")).manifests;
  const manifest = manifestSchema.parse(await read(first?.digest ?? ""));
  for (const layer of manifest.layers) await must(["tar", "-xzpf", join(blobs, layer.digest), "-C", root]);
  return { root, config: configSchema.parse(await read(manifest.config.digest)).config };
}

/** Runs the image with what is here for it, asks its health from inside, and an answer from outside. */
export async function checkImage(image: string, work: string): Promise<string> {
  const place = join(work, "container");
  const { root, config } = await unpackImage(image, place);
  if (isHere("runc")) return checkWithRunc(place, config);
  const serve = [...config.Entrypoint, ...config.Cmd, "--port", "0", "--host", "127.0.0.1"];
  await withServer(sandbox(root, config, serve), async (url) => {
    expect((await fetch(`${url}/health/ready`, { proxy: false })).ok, "the server is ready");
    await must(sandbox(root, config, [...config.Entrypoint, "health", "--port", new URL(url).port]));
  });
  return "unpacked, run with bwrap, asked for its health";
}

function sandbox(root: string, { Env, User }: Config, command: readonly string[]): string[] {
  const [uid = "", gid = ""] = User.split(":");
  const variables = Env.flatMap((line) => ["--setenv", ...line.split(/=(.*)/s).slice(0, 2)]);
  const line = `bwrap --unshare-all --share-net --die-with-parent --clearenv --uid ${uid} --gid ${gid}`;
  const mounts = `--ro-bind ${root} / --proc /proc --dev /dev --tmpfs /tmp --tmpfs /data --`;
  return [...line.split(" "), ...variables, ...mounts.split(" "), ...command];
}

/** As a container runtime does: read-only, as the account of the image, without capabilities, on this machine's network. */
async function checkWithRunc(place: string, { Env, User, Entrypoint, Cmd }: Config): Promise<string> {
  const spec = join(place, "config.json");
  await rm(spec, { force: true });
  await must(["runc", "spec", "--bundle", place]);
  const { process, linux, mounts, ...others } = specSchema.parse(await Bun.file(spec).json());
  const [uid = 0, gid = 0] = User.split(":").map(Number);
  const volume = (destination: string, mode: string) => ({
    destination,
    type: "tmpfs",
    source: "tmpfs",
    options: ["nosuid", "nodev", `mode=${mode}`, `uid=${uid}`, `gid=${gid}`],
  });
  await Bun.write(
    spec,
    JSON.stringify({
      ...others,
      process: {
        ...process,
        terminal: false,
        user: { uid, gid },
        args: [...Entrypoint, ...Cmd, "--port", "0", "--host", "127.0.0.1"],
        env: Env,
        cwd: "/data",
        capabilities: { bounding: [], effective: [], permitted: [] },
        noNewPrivileges: true,
      },
      root: { path: "rootfs", readonly: true },
      mounts: [...mounts, volume("/data", "0700"), volume("/tmp", "1777")],
      linux: { ...linux, namespaces: linux.namespaces.filter(({ type }) => type !== "network") },
    }),
  );
  const id = `docent-check-${globalThis.process.pid}`;
  try {
    await withServer(["runc", "run", "--bundle", place, id], async (url) => {
      expect((await fetch(`${url}/health/ready`, { proxy: false })).ok, "the server is ready");
      await must(["runc", "exec", id, "/usr/bin/docent", "health", "--port", new URL(url).port]);
      await must(["runc", "exec", id, "/usr/bin/docent", "doctor", "--self-test"]);
      const { code } = await run(["runc", "exec", id, "/bin/sh", "-c", "true"]);
      expect(code !== 0, "there is no shell in the image");
    });
  } finally {
    await run(["runc", "delete", "--force", id]);
  }
  return `unpacked, run with runc as account ${uid} on a read-only root, asked for its health, self-tested; no shell is in it`;
}
