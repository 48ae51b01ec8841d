import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { join } from "node:path";
import { composeFile, kubernetesManifests } from "../../scripts/release/manifests/deploy.ts";
import {
  findArchive,
  homebrewFormula,
  nixFlake,
  scoopManifest,
  wingetManifests,
} from "../../scripts/release/manifests/managers.ts";
import { provenance, signed } from "../../scripts/release/proofs.ts";
import { readFacts } from "../../scripts/release/release-facts.ts";
import type { Setting } from "../../src/kernel/config/setting.ts";
import { SETTINGS } from "../../src/kernel/config/settings.ts";

const facts = await readFacts({
  SOURCE_DATE_EPOCH: "1700000000",
  RELEASE_IMAGE: "registry.example.com/docent:1",
});
const find = (platform: string) => ({
  url: `https://docs.example.com/docent-${platform}.tar.gz`,
  sha256: new Bun.CryptoHasher("sha256").update(platform).digest("hex"),
});
const VARIABLES = new Set(Object.values<Setting>(SETTINGS).map(({ env }) => env));
const HOME = "https://docs.example.com";

describe("what starts Docent elsewhere", () => {
  test("sets nothing that is no setting, and names the image of the release", () => {
    for (const text of [composeFile(facts), kubernetesManifests(facts)]) {
      const named = [...text.matchAll(/\b(DOCENT_[A-Z_]+|OLLAMA_HOST)\b/g)].map(([, name = ""]) => name);
      expect(named.length).toBeGreaterThan(1);
      expect(named.filter((name) => !VARIABLES.has(name))).toEqual([]);
      expect(text).toContain(`image: ${facts.image}\n`);
    }
  });

  test("waits longer at the end than the server takes to stop", () => {
    const seconds = SETTINGS.shutdown_seconds.default;
    const [, grace] = /stop_grace_period: (\d+)s/.exec(composeFile(facts)) ?? [];
    const [, termination] = /terminationGracePeriodSeconds: (\d+)/.exec(kubernetesManifests(facts)) ?? [];
    expect(Number(grace)).toBeGreaterThan(seconds);
    expect(Number(termination)).toBeGreaterThan(seconds);
  });

  test("Compose starts every volume and service that it names", () => {
    const compose = Object(Bun.YAML.parse(composeFile(facts)));
    const services: Record<string, { volumes?: string[]; depends_on?: object }> = compose.services;
    expect(Object.keys(services)).toEqual(["docent", "ollama", "model"]);
    for (const { volumes = [], depends_on = {} } of Object.values(services)) {
      expect(volumes.filter((each) => !((each.split(":")[0] ?? "") in compose.volumes))).toEqual([]);
      expect(Object.keys(depends_on).filter((each) => !(each in services))).toEqual([]);
    }
  });

  test("Kubernetes runs it as nobody, on a root that cannot be written", () => {
    const documents: { kind: string; spec: { template: { spec: object } } }[] = Object(
      Bun.YAML.parse(kubernetesManifests(facts)),
    );
    expect(documents.map(({ kind }) => kind)).toEqual(["Namespace", "Service", "StatefulSet"]);
    expect(documents[2]?.spec.template.spec).toMatchObject({
      securityContext: { runAsNonRoot: true },
      containers: [{ securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false } }],
    });
  });
});

describe("manifests of package managers", () => {
  test("take the smallest archive of a platform", () => {
    const released = [
      "linux-x64-musl.tar.xz",
      "linux-x64.tar.gz",
      "linux-x64.tar.xz",
      "macos-x64.tar.gz",
    ].map((name) => ({ name: `docent-1.2.3-${name}`, sha256: name }));
    const found = findArchive(released, { version: "1.2.3", url: HOME });
    expect(found("linux-x64")).toEqual({
      url: `${HOME}/docent-1.2.3-linux-x64.tar.xz`,
      sha256: "linux-x64.tar.xz",
    });
    expect(found("macos-x64").sha256).toBe("macos-x64.tar.gz");
    expect(() => found("windows-x64")).toThrow("no archive for windows-x64");
  });

  test("name for each platform the archive with its hash", () => {
    const brew = homebrewFormula(facts, find, HOME);
    const nix = nixFlake(facts, find);
    for (const platform of ["macos-arm64", "macos-x64", "linux-arm64", "linux-x64-baseline"])
      for (const text of [brew, nix]) {
        expect(text).toContain(`"${find(platform).url}"`);
        expect(text).toContain(`"${find(platform).sha256}"`);
      }
    expect(JSON.parse(scoopManifest(facts, find, HOME))).toMatchObject({
      version: facts.version,
      architecture: { "64bit": { url: find("windows-x64").url, hash: find("windows-x64").sha256 } },
    });
    const winget = Object.values(wingetManifests(facts, find)).map((text) => Object(Bun.YAML.parse(text)));
    expect(new Set(winget.map((each) => `${each.PackageIdentifier} ${each.PackageVersion}`)).size).toBe(1);
    expect(winget.map(({ ManifestType }) => ManifestType)).toEqual(["version", "installer", "defaultLocale"]);
    expect(winget[1].Installers[0].InstallerSha256).toBe(find("windows-x64").sha256.toUpperCase());
  });

  test.skipIf(Bun.which("ruby") === null)("the formula is Ruby", async () => {
    const child = Bun.spawn(["ruby", "-c", "-"], {
      stdin: Buffer.from(homebrewFormula(facts, find, HOME)),
      stdout: "ignore",
    });
    expect(await child.exited).toBe(0);
  });

  test.skipIf(Bun.which("nix-instantiate") === null)("the flake is Nix", async () => {
    const child = Bun.spawn(["nix-instantiate", "--parse", "-"], {
      stdin: Buffer.from(nixFlake(facts, find)),
      stdout: "ignore",
      stderr: "ignore",
      env: { ...process.env, NIX_STATE_DIR: join("/tmp", "docent-nix") },
    });
    expect(await child.exited).toBe(0);
  });
});

describe("proofs", () => {
  const files = [{ name: "docent.tar.gz", sha256: "ab".repeat(32) }];

  test("the signature is one of Ed25519 over the sums, and a key of another kind is refused", () => {
    const pair = generateKeyPairSync("ed25519");
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const { signature, publicKey } = signed("sums\n", pem);
    expect(verify(null, Buffer.from("sums\n"), publicKey, signature)).toBe(true);
    expect(verify(null, Buffer.from("others\n"), publicKey, signature)).toBe(false);
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    expect(() => signed("", other.export({ type: "pkcs8", format: "pem" }).toString())).toThrow("Ed25519");
  });

  test("the provenance says of every file what it is, and names commit, builder and materials", () => {
    const materials = [{ uri: "file:bun.lock", digest: { sha256: "cd".repeat(32) } }];
    const commit = "0123456789abcdef0123456789abcdef01234567";
    const statement = JSON.parse(provenance(files, { facts: { ...facts, commit }, materials }));
    expect(statement).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://slsa.dev/provenance/v1",
      subject: [{ name: "docent.tar.gz", digest: { sha256: "ab".repeat(32) } }],
    });
    const { buildDefinition, runDetails } = statement.predicate;
    expect(buildDefinition.resolvedDependencies).toEqual([
      { uri: "git+docent", digest: { gitCommit: commit } },
      ...materials,
    ]);
    expect(runDetails.builder.id).toBe(facts.builder);
  });
});
