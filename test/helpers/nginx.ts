import { findProxy, freePort, startProxy } from "../proxies/programs.ts";

const program = findProxy("nginx", ["/usr/sbin/nginx"]);

export const hasNginx = program !== undefined;

/**
 * nginx before several servers. What readers send may be sent twice: a question that was not answered is asked again. What
 * owners send is not, unless no server has it yet. A server that fails is asked again with the next request, since one that
 * is only busy says the same as one that cannot reach PostgreSQL.
 */
export const nginxServers = (listen: string, servers: readonly string[]): string => `
upstream docent {
${servers.map((server) => `    server ${server} max_fails=0;`).join("\n")}
    keepalive 64;
}

server {
    listen ${listen};
    client_max_body_size 6m;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_connect_timeout 2s;
    proxy_read_timeout 300s;
    proxy_next_upstream error timeout http_503;
    proxy_next_upstream_timeout 10s;

    location / {
        proxy_pass http://docent;
    }

    location ~ ^/(discovery/)?v[12]/(assistant|search|page|widget|chat|responses)(/|$) {
        proxy_pass http://docent;
        proxy_next_upstream error timeout http_503 non_idempotent;
    }
}
`;

/** A file of nginx's for a folder of its own, in which it finds nothing of the machine's. */
function wholeFile(servers: string): string {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    "daemon off; worker_processes 1; pid {folder}/pid; error_log stderr;",
    process.getuid?.() === 0 ? "user root;" : "",
    "events { worker_connections 2048; }",
    "http { access_log off;",
    ...places.map((name) => `${name}_temp_path {folder}/${name};`),
    servers,
    "}",
  ].join("\n");
}

/** Starts it on a free port before these servers, each as `host:port`. */
export async function startNginx(
  servers: readonly string[],
): Promise<{ url: string; close(): Promise<void> }> {
  if (program === undefined) throw new Error("nginx is not installed here");
  const address = `127.0.0.1:${freePort()}`;
  const url = `http://${address}`;
  const text = wholeFile(nginxServers(address, servers));
  const argv = (folder: string) => ["-p", folder, "-e", "stderr", "-c", `${folder}/conf`];
  const { close } = await startProxy(program, { files: { conf: text }, argv }, async () => {
    const reply = await fetch(`${url}/health/ready`).catch(() => undefined);
    return reply?.ok === true;
  });
  return { url, close };
}
