import { contentOf, cpio, modeOf } from "../archive/cpio.ts";
import { type Entry, file, folder } from "../archive/entry.ts";
import { sha256 } from "../archive/gzip.ts";
import type { Packing } from "../archive/packing.ts";
import type { ReleaseFacts } from "../release-facts.ts";
import { ADD_ACCOUNT, ADD_DATA, RELOAD, RESTART, SAY_HOW_TO_START, STOP } from "./maintenance.ts";
import { bytes, int16, int32, type RpmValue, rpmHeader, string, strings, translated } from "./rpm-header.ts";
import { type Companions, packageTree, SETTINGS_FILE } from "./tree.ts";

export type RpmArchitecture = "x86_64" | "aarch64";

const RELEASE = "1";
const LICENSE_FILE = "usr/share/licenses/docent/LICENSE";
/** Flags of files: settings that an upgrade leaves alone, documentation, a licence. */
const [SETTINGS_FLAGS, DOC_FLAG, LICENSE_FLAG] = [0x11, 0x02, 0x80];
const SHA256_ALGORITHM = 8;
/** Flags of what is needed: a version at least or at most, a script before installing, a feature of RPM itself. */
const [AT_LEAST, EQUAL, BEFORE, FEATURE] = [0x0c, 0x08, 0x200, 0x100_000a];

/** A package for Fedora, Red Hat, SUSE and what is made from them, in version 4 of the format. */
export async function rpm(
  binary: Uint8Array,
  companions: Companions,
  { facts, architecture, packing }: { facts: ReleaseFacts; architecture: RpmArchitecture; packing: Packing },
): Promise<Uint8Array> {
  const entries = [
    ...(await packageTree(binary, companions, { zshFolder: "usr/share/zsh/site-functions" })),
    folder("usr/share/licenses/docent"),
    file(LICENSE_FILE, `${companions.license}\n${companions.thirdParty}`),
    folder("usr/share/doc/docent"),
    file("usr/share/doc/docent/CHANGELOG.md", companions.changelog),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const archive = cpio(entries, facts.changedAt);
  const payload = await packing.pack(archive, { x64: architecture === "x86_64" });
  const tags = new Map([
    ...aboutPackage(facts, architecture),
    ...aboutFiles(entries, facts.changedAt),
    ...aboutNeeds(facts.version, packing),
    ...aboutScripts(),
    ...aboutPayload(payload, packing),
  ]);
  const header = rpmHeader(63, tags);
  const signature = signatureOf(header, payload, archive.length);
  return Buffer.concat([lead(facts, architecture), signature, header, payload]);
}

type Tags = [tag: number, value: RpmValue][];

function aboutPackage(
  { version, description, license, changedAt }: ReleaseFacts,
  architecture: RpmArchitecture,
): Tags {
  return [
    [100, strings("C")],
    [1000, string("docent")],
    [1001, string(version.replaceAll("-", "~"))],
    [1002, string(RELEASE)],
    [1004, translated("Documentation assistant in one file")],
    [1005, translated(`${description}\n\nThe service docent keeps everything in /var/lib/docent.`)],
    [1006, int32(changedAt)],
    [1007, string("localhost")],
    [1014, string(license)],
    [1016, translated("Applications/Internet")],
    [1021, string("linux")],
    [1022, string(architecture)],
    [1044, string(`docent-${version.replaceAll("-", "~")}-${RELEASE}.src.rpm`)],
    [1064, string("4.14.0")],
    [1132, string(`${architecture}-linux`)],
    [5062, string("utf-8")],
  ];
}

function aboutFiles(entries: readonly Entry[], changedAt: number): Tags {
  const each = <T>(read: (entry: Entry, index: number) => T) => entries.map(read);
  const folders = [...new Set(each(({ path }) => folderOf(path)))];
  return [
    [1009, int32(entries.reduce((sum, entry) => sum + contentOf(entry).length, 0))],
    [1028, int32(...each((entry) => contentOf(entry).length))],
    [1030, int16(...each(modeOf))],
    [1033, int16(...each(() => 0))],
    [1034, int32(...each(() => changedAt))],
    [1035, strings(...each((entry) => (entry.kind === "file" ? sha256(entry.bytes) : "")))],
    [1036, strings(...each((entry) => (entry.kind === "link" ? entry.target : "")))],
    [1037, int32(...each(({ path }) => flagsOf(path)))],
    [1039, strings(...each(() => "root"))],
    [1040, strings(...each(() => "root"))],
    [1045, int32(...each(() => 0xffff_ffff))],
    [1095, int32(...each(() => 1))],
    [1096, int32(...each((_, index) => index + 1))],
    [1097, strings(...each(() => ""))],
    [1116, int32(...each(({ path }) => folders.indexOf(folderOf(path))))],
    [1117, strings(...each(({ path }) => path.slice(path.lastIndexOf("/") + 1)))],
    [1118, strings(...folders)],
    [5011, int32(SHA256_ALGORITHM)],
  ];
}

type Need = [name: string, flags: number, version: string];

const XZ_NEED: Need = ["rpmlib(PayloadIsXz)", FEATURE, "5.2-1"];

const folderOf = (path: string) => `/${path.slice(0, path.lastIndexOf("/") + 1)}`;

function flagsOf(path: string): number {
  if (path === SETTINGS_FILE) return SETTINGS_FLAGS;
  if (path === LICENSE_FILE) return LICENSE_FLAG;
  return /^usr\/share\/(?:doc|man)\//.test(path) ? DOC_FLAG : 0;
}

function aboutNeeds(version: string, packing: Packing): Tags {
  const needs: Need[] = [
    ["/bin/sh", BEFORE, ""],
    ["/usr/sbin/useradd", BEFORE, ""],
    ["glibc", AT_LEAST, "2.17"],
    ["rpmlib(CompressedFileNames)", FEATURE, "3.0.4-1"],
    ["rpmlib(FileDigests)", FEATURE, "4.6.0-1"],
    ["rpmlib(PayloadFilesHavePrefix)", FEATURE, "4.0-1"],
    ...(packing.name === "xz" ? [XZ_NEED] : []),
  ];
  return [
    [1047, strings("docent", "config(docent)")],
    [1112, int32(EQUAL, EQUAL)],
    [
      1113,
      strings(`${version.replaceAll("-", "~")}-${RELEASE}`, `${version.replaceAll("-", "~")}-${RELEASE}`),
    ],
    [1048, int32(...needs.map(([, flags]) => flags))],
    [1049, strings(...needs.map(([name]) => name))],
    [1050, strings(...needs.map(([, , least]) => least))],
  ];
}

/** The number of packages that stay is 1 at the first install, 2 at an upgrade, 0 when the last one goes. */
function aboutScripts(): Tags {
  const scripts: [body: number, program: number, text: string][] = [
    [1023, 1085, ADD_ACCOUNT],
    [1024, 1086, `${ADD_DATA}${RELOAD}if [ "$1" = 1 ]; then\n${SAY_HOW_TO_START}fi\n`],
    [1025, 1087, `if [ "$1" = 0 ]; then\n${STOP}fi\n`],
    [1026, 1088, `${RELOAD}if [ "$1" != 0 ]; then\n${RESTART}fi\n`],
  ];
  return scripts.flatMap(
    ([body, program, text]): Tags => [
      [body, string(text)],
      [program, string("/bin/sh")],
    ],
  );
}

const aboutPayload = (payload: Uint8Array, packing: Packing): Tags => [
  [1124, string("cpio")],
  [1125, string(packing.name)],
  [1126, string("6")],
  [5092, strings(sha256(payload))],
  [5093, int32(SHA256_ALGORITHM)],
];

/** The digests by which RPM tells that a package is whole; it is no signature of a person. */
function signatureOf(header: Uint8Array, payload: Uint8Array, archiveBytes: number): Uint8Array {
  const digest = (algorithm: "sha1" | "md5") => new Bun.CryptoHasher(algorithm);
  const written = rpmHeader(
    62,
    new Map<number, RpmValue>([
      [269, string(digest("sha1").update(header).digest("hex"))],
      [273, string(sha256(header))],
      [1000, int32(header.length + payload.length)],
      [1004, bytes(digest("md5").update(header).update(payload).digest())],
      [1007, int32(archiveBytes)],
    ]),
  );
  return Buffer.concat([written, new Uint8Array((8 - (written.length % 8)) % 8)]);
}

/** What `file` recognizes a package by; RPM itself reads none of it any more. */
function lead({ version }: ReleaseFacts, architecture: RpmArchitecture): Uint8Array {
  const block = Buffer.alloc(96);
  block.writeUInt32BE(0xed_ab_ee_db, 0);
  block.writeUInt8(3, 4);
  block.writeUInt16BE(architecture === "x86_64" ? 1 : 19, 8);
  block.write(`docent-${version}-${RELEASE}`.slice(0, 65), 10);
  block.writeUInt16BE(1, 76);
  block.writeUInt16BE(5, 78);
  return block;
}
