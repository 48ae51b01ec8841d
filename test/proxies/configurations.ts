import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProxyStart } from "./programs.ts";

/** A proxy as people run it: as docs/operations.md says, and with compression of everything that it can be told to compress. */
export interface ProxyKind {
  name: string;
  /** Where it may be besides the search path. */
  places: string[];
  /** The configuration of the documentation. */
  documented(port: number, upstream: string): ProxyStart;
  /** As little as a proxy needs, and compression on. */
  compressing(port: number, upstream: string): ProxyStart;
}

export const SITE = "docs.example.com";
const UPSTREAM = "127.0.0.1:4747";
const TYPES = "text/html text/plain text/event-stream application/json";
const isRoot = process.getuid?.() === 0;
const operations = readFileSync(join(import.meta.dir, "../../docs/operations.md"), "utf8");

/** The block of the page under a heading, with the address that Docent really has. */
function documented(proxy: string, upstream: string): string {
  const section = operations.split(/^## /m).find((text) => text.startsWith(`Run Docent behind ${proxy}\n`));
  const block = section?.match(/^```\w+\n(.*?)^```$/ms)?.[1];
  if (!block?.includes(UPSTREAM)) throw new Error(`docs/operations.md shows no configuration of ${proxy}`);
  return block.replaceAll(UPSTREAM, upstream);
}

/** A block with a part of it as this test needs it. That the part is there is what keeps the block true. */
function changed(block: string, from: string, to: string): string {
  if (!block.includes(from)) throw new Error(`the configuration does not say "${from}"`);
  return block.replace(from, to);
}

function nginx(server: string): ProxyStart {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const text = [
    "daemon off; pid {folder}/pid; error_log stderr;",
    isRoot ? "user root;" : "",
    "events {} http { access_log off;",
    ...places.map((name) => `${name}_temp_path {folder}/${name};`),
    `server { ${server} } }`,
  ].join("\n");
  return { files: { conf: text }, argv: (folder) => ["-p", folder, "-e", "stderr", "-c", `${folder}/conf`] };
}

function caddy(site: string): ProxyStart {
  const text = `{\n  admin off\n  auto_https off\n}\n${site}`;
  return {
    files: { Caddyfile: text },
    argv: (folder) => ["run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
  };
}

function apache(port: number, host: string): ProxyStart {
  const modules = ["mpm_event", "proxy", "proxy_http", "deflate", "filter", "authz_core"];
  const text = [
    `ServerName localhost\nServerRoot {folder}\nPidFile {folder}/pid\nErrorLog /dev/stderr`,
    `DefaultRuntimeDir {folder}\nMutex file:{folder}\nListen 127.0.0.1:${port}`,
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    isRoot ? "User nobody\nGroup nogroup" : "",
    `<VirtualHost 127.0.0.1:${port}>\n${host}\n</VirtualHost>\n`,
  ].join("\n");
  return { files: { conf: text }, argv: (folder) => ["-DFOREGROUND", "-f", `${folder}/conf`] };
}

const haproxy = (text: string): ProxyStart => ({
  files: { conf: text },
  argv: (folder) => ["-db", "-f", `${folder}/conf`],
});

function traefik(port: number, dynamic: string): ProxyStart {
  const fixed = [
    "global: { checkNewVersion: false, sendAnonymousUsage: false }",
    `entryPoints: { web: { address: "127.0.0.1:${port}" } }`,
    "providers: { file: { filename: {folder}/dynamic.yml } }\n",
  ].join("\n");
  return {
    files: { "fixed.yml": fixed, "dynamic.yml": dynamic },
    argv: (folder) => [`--configFile=${folder}/fixed.yml`],
  };
}

export const PROXIES: ProxyKind[] = [
  {
    name: "nginx",
    places: ["/usr/sbin/nginx"],
    documented: (port, upstream) => nginx(`listen 127.0.0.1:${port}; ${documented("nginx", upstream)}`),
    compressing: (port, upstream) =>
      nginx(
        `listen 127.0.0.1:${port}; gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1; location / { proxy_pass http://${upstream}; }`,
      ),
  },
  {
    name: "caddy",
    places: ["/usr/bin/caddy"],
    documented: (port, upstream) =>
      caddy(changed(documented("Caddy", upstream), `${SITE} {`, `http://${SITE}:${port} {`)),
    compressing: (port, upstream) =>
      caddy(`http://:${port} {\n  encode gzip\n  reverse_proxy ${upstream}\n}\n`),
  },
  {
    name: "apache2",
    places: ["/usr/sbin/apache2"],
    documented: (port, upstream) => apache(port, documented("Apache", upstream)),
    compressing: (port, upstream) =>
      apache(port, `AddOutputFilterByType DEFLATE ${TYPES}\nProxyPass "/" "http://${upstream}/"`),
  },
  {
    name: "haproxy",
    places: ["/usr/sbin/haproxy"],
    documented: (port, upstream) =>
      haproxy(changed(documented("HAProxy", upstream), "bind :80", `bind 127.0.0.1:${port}`)),
    compressing: (port, upstream) =>
      haproxy(
        [
          "defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s",
          `listen all\n  bind 127.0.0.1:${port}\n  compression algo gzip\n  compression type ${TYPES}`,
          `  server docent ${upstream}\n`,
        ].join("\n"),
      ),
  },
  {
    name: "traefik",
    places: [],
    documented: (port, upstream) => traefik(port, documented("Traefik", upstream)),
    compressing: (port, upstream) =>
      traefik(
        port,
        [
          "http:\n  middlewares: { small: { compress: { minResponseBodyBytes: 1 } } }",
          "  routers: { docent: { rule: PathPrefix(`/`), service: docent, middlewares: [small] } }",
          `  services: { docent: { loadBalancer: { servers: [{ url: "http://${upstream}" }] } } }\n`,
        ].join("\n"),
      ),
  },
];
