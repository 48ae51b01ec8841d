import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { flagOf, SETTINGS } from "../../src/kernel/config/settings.ts";
import { startDocent } from "../helpers/docent.ts";
import { freePort } from "../helpers/free-port.ts";

// The files of docs/scaling-recipes.md: what is named in one place must be there in the other.

const PAGE = readFileSync(join(import.meta.dir, "../../docs/scaling-recipes.md"), "utf8");
const blocks = (language: string) =>
  [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );

const [composeText = "", ...manifestTexts] = blocks("yaml");
const [nginx = ""] = blocks("nginx");
const [dockerfile = ""] = blocks("dockerfile");

const mapping = z.record(z.string(), z.unknown());
const COMPOSE = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string().optional(),
      build: z.string().optional(),
      environment: z.record(z.string(), z.string()).default({}),
      secrets: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      depends_on: z.union([z.array(z.string()), mapping]).default([]),
      stop_grace_period: z.string().optional(),
    }),
  ),
  networks: z.object({
    default: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
  }),
  volumes: mapping,
  secrets: mapping,
});
const compose = COMPOSE.parse(Bun.YAML.parse(composeText));

const PROBE = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const POD = z.object({
  enableServiceLinks: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  containers: z.array(
    z.object({
      env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      ports: z.array(z.object({ name: z.string().optional(), containerPort: z.number() })),
      startupProbe: PROBE.optional(),
      livenessProbe: PROBE.optional(),
      readinessProbe: PROBE.optional(),
      lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
      volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
    }),
  ),
  volumes: z
    .array(
      z.object({
        name: z.string(),
        secret: z
          .object({ secretName: z.string(), items: z.array(z.object({ key: z.string(), path: z.string() })) })
          .optional(),
      }),
    )
    .default([]),
});
const MANIFEST = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string() }),
  spec: z.looseObject({
    selector: z.unknown().optional(),
    template: z.object({ metadata: z.object({ labels: mapping }), spec: POD }).optional(),
  }),
});
const manifests = manifestTexts.flatMap((text) =>
  text.split(/^---$/m).map((each) => MANIFEST.parse(Bun.YAML.parse(each))),
);

function manifest(kind: string, name: string) {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

function podOf(kind: string, name: string) {
  const { template } = manifest(kind, name).spec;
  const container = template?.spec.containers[0];
  if (template === undefined || container === undefined) throw new Error(`${kind} ${name} runs nothing`);
  return { ...template.spec, container, labels: template.metadata.labels };
}

const VARIABLES = new Set(Object.values(SETTINGS).map(({ env }: { env: string }) => env));
/** Those that Docent, or PostgreSQL's own way of naming things, knows nothing of. */
const unknown = (names: readonly string[]) =>
  names.filter((name) => !VARIABLES.has(name.replace(/_FILE$/, "")) && !/^PGSSL(MODE|ROOTCERT)$/.test(name));

describe("the Compose file", () => {
  test("names settings, volumes, secrets and services that there are", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      if (service.build !== undefined) expect(unknown(Object.keys(service.environment))).toEqual([]);
      const named = service.volumes
        .map((each) => each.split(":")[0] ?? "")
        .filter((each) => !each.startsWith("."));
      expect(named.filter((each) => !(each in compose.volumes))).toEqual([]);
      expect(service.secrets.filter((each) => !(each in compose.secrets))).toEqual([]);
      const { depends_on: needed } = service;
      const services = Array.isArray(needed) ? needed : Object.keys(needed);
      expect(
        services.filter((each) => !(each in compose.services)),
        name,
      ).toEqual([]);
      for (const value of Object.values(service.environment)) {
        const secret = /^\/run\/secrets\/(\w+)$/.exec(value)?.[1];
        if (secret !== undefined) expect(service.secrets).toContain(secret);
      }
    }
  });

  test("has two servers of one image that differ in their data directory alone", () => {
    const { "docent-1": one, "docent-2": two } = compose.services;
    expect(one?.build).toBe(".");
    expect({ ...two, volumes: [] }).toEqual({ ...one, volumes: [] });
    expect(two?.volumes).not.toEqual(one?.volumes ?? []);
    const data = /DOCENT_DATA=(\S+)/.exec(dockerfile)?.[1];
    for (const server of [one, two]) expect(server?.volumes[0]).toEndWith(`:${data}`);
  });

  test("has Docent trust the network that its proxy is in, and gives it time to stop", () => {
    const server = compose.services["docent-1"];
    expect(server?.environment["DOCENT_TRUSTED_PROXIES"]).toBe(
      compose.networks.default.ipam.config[0].subnet,
    );
    expect(Number.parseInt(server?.stop_grace_period ?? "", 10)).toBeGreaterThan(
      SETTINGS.shutdown_seconds.default,
    );
    expect(new URL(server?.environment["OLLAMA_HOST"] ?? "").hostname).toBe("ollama");
  });
});

describe("the proxy", () => {
  const servers = [...nginx.matchAll(/^\s*server (\S+):(\d+)/gm)];

  test("leads to the servers of the Compose file, on the port that Docent listens on", () => {
    expect(servers.map(([, name, port]) => [name, Number(port)])).toEqual([
      ["docent-1", SETTINGS.port.default],
      ["docent-2", SETTINGS.port.default],
    ]);
    const { hostname } = new URL(compose.services["docent-1"]?.environment["DOCENT_PUBLIC_URL"] ?? "");
    expect(nginx).toContain(`server_name ${hostname};`);
    expect(nginx).toContain("proxy_buffering off;");
    expect(nginx).not.toContain("non_idempotent");
  });

  const program = Bun.which("nginx") ?? Bun.which("nginx", { PATH: "/usr/sbin" });
  test.skipIf(program === null)("is a configuration that nginx loads", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docent-nginx-"));
    // Names that only Compose knows, and a port that is not ours.
    const here = nginx
      .replaceAll(/\bdocent-[12]:/g, "127.0.0.1:")
      .replace("listen 80;", `listen 127.0.0.1:${await freePort()};`);
    const file = join(folder, "nginx.conf");
    const whole = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${here}}\n`;
    writeFileSync(file, whole);
    const { exitCode, stderr } = Bun.spawnSync([program ?? "", "-t", "-p", folder, "-c", file]);
    expect([exitCode, stderr.toString()]).toEqual([0, expect.stringContaining("test is successful")]);
    rmSync(folder, { recursive: true });
  });
});

describe("the Kubernetes manifests", () => {
  const docent = podOf("Deployment", "docent");

  test("are all of one namespace, and every service leads to pods that there are", () => {
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(["docent"]));
    expect(manifest("Service", "docent").spec.selector).toEqual(docent.labels);
    expect(manifest("Service", "ollama").spec.selector).toEqual(podOf("StatefulSet", "ollama").labels);
    expect(manifestTexts.join()).toContain("backend: { service: { name: docent, port: { name: http } } }");
    expect(JSON.stringify(manifest("Service", "docent").spec)).toContain('"targetPort":"http"');
  });

  test("name settings that there are, and files that are mounted from secrets of the database", () => {
    const { env, volumeMounts } = docent.container;
    expect(unknown(env.map(({ name }) => name))).toEqual([]);
    const files = env.map(({ value }) => value).filter((value) => value.startsWith("/run/secrets/"));
    const mounted = volumeMounts.flatMap(({ name, mountPath }) => {
      const secret = docent.volumes.find((volume) => volume.name === name)?.secret;
      return secret?.items.map(({ path }) => `${mountPath}/${path}`) ?? [];
    });
    expect(mounted).toEqual(files);
    expect(files).toHaveLength(2);
    const cluster = manifest("Cluster", "docent-db").metadata.name;
    for (const { secret } of docent.volumes)
      if (secret !== undefined) expect(secret.secretName).toMatch(new RegExp(`^${cluster}-(?:app|ca)$`));
  });

  test("probe paths that the server has, on the port that it listens on", async () => {
    const server = await startDocent();
    const { startupProbe, livenessProbe, readinessProbe, ports } = docent.container;
    expect(ports).toEqual([{ name: "http", containerPort: SETTINGS.port.default }]);
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(probe?.httpGet.port).toBe("http");
      expect((await fetch(server.url + probe?.httpGet.path)).status).toBe(200);
    }
    await server.close();
  });

  test("give a server time to stop, and keep the variables of a service named docent from it", () => {
    const { seconds = 0 } = docent.container.lifecycle?.preStop.sleep ?? {};
    expect(docent.terminationGracePeriodSeconds).toBeGreaterThan(SETTINGS.shutdown_seconds.default + seconds);
    expect(docent.enableServiceLinks).toBe(false);
  });
});

test("the Dockerfile sets what Docent has: its data directory, and the address to listen on", () => {
  const set = [...dockerfile.matchAll(/(DOCENT_\w+)=/g)].map(([, name = ""]) => name);
  expect(unknown(set)).toEqual([]);
  expect(set).toHaveLength(2);
  expect([flagOf("data"), flagOf("host")]).toEqual(["--data", "--host"]);
});
