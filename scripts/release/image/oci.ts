import { type Entry, file, folder, withFolders } from "../archive/entry.ts";
import { gzip, sha256 } from "../archive/gzip.ts";
import { tar } from "../archive/tar.ts";
import type { DebArchitecture } from "../packages/deb.ts";
import type { ReleaseFacts } from "../release-facts.ts";

/** The account in the image: high enough to be nobody on the machine around it. */
const UID = 10001;
const SECOND_NS = 1_000_000_000;

/** What is in the image besides the binary and the C library. Bun aborts where there is no /proc to mount on. */
const GROUND: Entry[] = [
  file("etc/passwd", `root:x:0:0:root:/:/bin/false\ndocent:x:${UID}:${UID}:docent:/data:/bin/false\n`),
  file("etc/group", `root:x:0:\ndocent:x:${UID}:\n`),
  file("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
  folder("proc", 0o555),
  folder("sys", 0o555),
  folder("dev"),
  folder("tmp", 0o1777),
  { ...folder("data", 0o700), uid: UID, gid: UID },
];

interface Blob {
  digest: string;
  bytes: Uint8Array;
}

const blobOf = (bytes: Uint8Array): Blob => ({ digest: sha256(bytes), bytes });
const jsonBlob = (value: unknown) => blobOf(Buffer.from(JSON.stringify(value)));

/**
 * An image as one archive, which both OCI's tools and `docker load` read. The C library has a layer of its own: it
 * stays where only the binary is new.
 */
export async function ociImage(
  binary: Uint8Array,
  cLibrary: readonly Entry[],
  { facts, architecture }: { facts: ReleaseFacts; architecture: DebArchitecture },
): Promise<Uint8Array> {
  const { changedAt } = facts;
  const plain = [[...GROUND, ...cLibrary], [file("usr/bin/docent", binary, 0o755)]].map((entries) =>
    tar(withFolders(entries), { changedAt }),
  );
  const layers = await Promise.all(plain.map(async (each) => blobOf(await gzip(each))));
  const config = jsonBlob(configOf(plain.map(sha256), { facts, architecture }));
  const manifest = jsonBlob({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: descriptor("application/vnd.oci.image.config.v1+json", config),
    layers: layers.map((layer) => descriptor("application/vnd.oci.image.layer.v1.tar+gzip", layer)),
  });
  const index = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [
      {
        ...descriptor("application/vnd.oci.image.manifest.v1+json", manifest),
        platform: { os: "linux", architecture },
        annotations: {
          "io.containerd.image.name": facts.image,
          "org.opencontainers.image.ref.name": facts.image.split(":").at(-1),
        },
      },
    ],
  };
  const forDocker = [
    {
      Config: pathOf(config),
      RepoTags: [facts.image],
      Layers: layers.map(pathOf),
    },
  ];
  return tar(
    withFolders([
      file("oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" })),
      file("index.json", JSON.stringify(index)),
      file("manifest.json", JSON.stringify(forDocker)),
      ...[...layers, config, manifest].map((blob) => file(pathOf(blob), blob.bytes)),
    ]),
    { changedAt },
  );
}

const pathOf = ({ digest }: Blob) => `blobs/sha256/${digest}`;

const descriptor = (mediaType: string, { digest, bytes }: Blob) => ({
  mediaType,
  digest: `sha256:${digest}`,
  size: bytes.length,
});

function configOf(
  diffIds: readonly string[],
  { facts, architecture }: { facts: ReleaseFacts; architecture: DebArchitecture },
) {
  const created = new Date(facts.changedAt * 1000).toISOString();
  return {
    created,
    architecture,
    os: "linux",
    config: {
      User: `${UID}:${UID}`,
      ExposedPorts: { "4747/tcp": {} },
      Env: ["PATH=/usr/bin", "HOME=/data", "DOCENT_DATA=/data", "DOCENT_HOST=0.0.0.0"],
      Entrypoint: ["/usr/bin/docent"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      WorkingDir: "/data",
      StopSignal: "SIGTERM",
      // Docker's own: OCI has no word for it, and Kubernetes and Compose say it again in theirs.
      Healthcheck: {
        Test: ["CMD", "/usr/bin/docent", "health"],
        Interval: 10 * SECOND_NS,
        Timeout: 6 * SECOND_NS,
        StartPeriod: 30 * SECOND_NS,
        Retries: 3,
      },
      Labels: {
        "org.opencontainers.image.title": "Docent",
        "org.opencontainers.image.description": facts.description,
        "org.opencontainers.image.version": facts.version,
        "org.opencontainers.image.licenses": facts.license,
        ...(facts.commit === undefined ? {} : { "org.opencontainers.image.revision": facts.commit }),
      },
    },
    rootfs: { type: "layers", diff_ids: diffIds.map((each) => `sha256:${each}`) },
    history: ["the C library", "docent"].map((what) => ({ created, created_by: what })),
  };
}
