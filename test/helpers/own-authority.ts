import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An authority of our own, in PEM, and a certificate of it for these names. */
export const ownAuthority = (...names: string[]) => makeAuthority(names, 30);

/** The same, with a certificate that ended yesterday. */
export const expiredAuthority = (...names: string[]) => makeAuthority(names, -1);

async function makeAuthority(names: readonly string[], days: number) {
  using folder = temporaryDirectory();
  const openssl = (...words: string[]) => {
    const ran = Bun.spawnSync(["openssl", ...words], { cwd: folder.path, stderr: "pipe" });
    if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const made = ["-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=Own authority"];
  openssl("req", "-x509", ...key, ...made);
  openssl("req", ...key, "-keyout", "site.key", "-out", "site.csr", "-subj", `/CN=${names[0]}`);
  await Bun.write(
    join(folder.path, "names"),
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`,
  );
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-days", String(days), "-extfile", "names"];
  openssl("x509", "-req", "-in", "site.csr", ...signing, "-out", "site.pem");
  const read = (name: string) => readFileSync(join(folder.path, name), "utf8");
  return { authority: read("ca.pem"), tls: { key: read("site.key"), cert: read("site.pem") } };
}
