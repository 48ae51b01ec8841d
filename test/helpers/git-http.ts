import { join } from "node:path";
import { ownAuthority } from "./own-authority.ts";

/** What came to a server of repositories. */
export interface AskedOfGit {
  path: string;
  authorization: string | null;
}

export interface GitHttp extends AsyncDisposable {
  /** With the name, and without a slash at the end. */
  url: string;
  host: string;
  /** The authority to trust, in PEM. */
  authority: string;
  asked: AskedOfGit[];
}

interface GitHttpOptions {
  /** The folder whose repositories are served. */
  root: string;
  /** The name in the certificate. */
  host?: string;
  /** `name:password` that it wants to see. */
  credential?: string;
  /** Answers in the place of git, where it gives something. */
  instead?: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** git's own server of repositories, over https with a password where one is set. */
export async function startGitHttp(options: GitHttpOptions): Promise<GitHttp> {
  const { root, host = "git.test", credential, instead } = options;
  const own = await ownAuthority(host);
  const wanted = credential === undefined ? undefined : `Basic ${btoa(credential)}`;
  const asked: AskedOfGit[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: own.tls,
    async fetch(request) {
      const authorization = request.headers.get("authorization");
      asked.push({ path: new URL(request.url).pathname, authorization });
      const other = await instead?.(request);
      if (other !== undefined) return other;
      if (wanted !== undefined && authorization !== wanted)
        return new Response("no", { status: 401, headers: { "www-authenticate": 'Basic realm="git"' } });
      return backend(root, request);
    },
  });
  return {
    url: `https://${host}:${server.port}`,
    host,
    authority: own.authority,
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** One request as git http-backend takes it, and what it answers. */
async function backend(root: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? "";
  const child = Bun.spawn(["git", "http-backend"], {
    stdin: await request.bytes(),
    stdout: "pipe",
    stderr: "ignore",
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: join(root, "server.conf"),
      REMOTE_ADDR: "127.0.0.1",
      REMOTE_USER: "docent",
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: header("content-type"),
      HTTP_GIT_PROTOCOL: header("git-protocol"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
    },
  });
  const reply = Buffer.from(await new Response(child.stdout).arrayBuffer());
  const end = reply.indexOf("\r\n\r\n");
  const fields = reply.toString("latin1", 0, end).split("\r\n");
  const headers = new Headers(fields.map((line): [string, string] => [...pair(line)]));
  const status = Number.parseInt(headers.get("status") ?? "200", 10);
  headers.delete("status");
  return new Response(reply.subarray(end + 4), { status, headers });
}

function pair(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1).trim()];
}
