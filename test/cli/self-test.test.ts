import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { FINDING_SHAPE } from "../../src/cli/commands/doctor/model.ts";
import { createWorkplace, PROGRAM } from "../helpers/program.ts";

const findingsSchema = z.array(FINDING_SHAPE);

describe("docent doctor --self-test", () => {
  const temporary = mkdtempSync(join(tmpdir(), "docent-own-tmp-"));
  // A proxy that nobody answers, and an operator's settings that are no good: neither is for the test.
  const place = createWorkplace({
    TMPDIR: temporary,
    HTTP_PROXY: "http://127.0.0.1:1",
    http_proxy: "http://127.0.0.1:1",
    DOCENT_EMBEDDING_MODEL: "none-such",
  });
  afterAll(async () => {
    await place.dispose();
    rmSync(temporary, { recursive: true, force: true });
  });

  test("tries every part of the program, and says what each did", async () => {
    const { code, out, err } = await place.run("doctor", "--self-test", "--json", "--data", "operators");
    const findings = findingsSchema.parse(JSON.parse(out));
    expect({ code, err, failed: findings.filter(({ state }) => state !== "ok") }).toEqual({
      code: 0,
      err: "",
      failed: [],
    });
    expect(findings.map(({ what }) => what)).toEqual([
      "Docent",
      "process",
      "database",
      "sqlite-vec",
      "ingest",
      "search",
      "answer",
      "server",
      "backup",
    ]);
  });

  test("leaves nothing behind, and touches no data directory of the operator's", () => {
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test("names what fails and the reason, tries nothing after it, and exits with 1", async () => {
    // Where no file can be larger than this, the database cannot be made.
    const limited = Bun.spawn(
      ["sh", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$@"', "sh", ...PROGRAM, "doctor", "--self-test"],
      {
        cwd: place.folder,
        env: { PATH: process.env["PATH"] ?? "", TMPDIR: temporary },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const out = await new Response(limited.stdout).text();
    expect(await limited.exited).toBe(1);
    expect(out).toMatch(/^FAIL {2}database: /m);
    expect(out).not.toContain("ingest:");
    expect(out).toContain("Not OK");
    expect(readdirSync(temporary)).toEqual([]);
  });
});
