import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ANSWER, PAGES, QUESTION } from "../../../src/cli/commands/doctor/self-test.ts";
import { unpackImage } from "./image.ts";
import { expect, must, withServer } from "./run.ts";

/** Runs the program for arm64, with the C library of its image, in an emulator: serves, reads docs, asks. */
export async function checkArm64(image: string, work: string): Promise<string> {
  const place = join(work, "arm64");
  const { root } = await unpackImage(image, place);
  const docs = join(place, "docs");
  const data = join(place, "data");
  await rm(data, { recursive: true, force: true });
  await mkdir(docs, { recursive: true });
  for (const [name, text] of Object.entries(PAGES)) await Bun.write(join(docs, name), text);
  const docent = (...words: string[]) => [
    "qemu-aarch64-static",
    "-L",
    root,
    join(root, "usr/bin/docent"),
    ...words,
    "--data",
    data,
    "--ollama-host",
    "http://127.0.0.1:1",
  ];
  await must(docent("sites", "add", "acme"));
  await must(docent("ingest", "acme", docs));
  expect(ANSWER.test(await must(docent("ask", "acme", QUESTION))), "it quotes the page");
  await withServer(docent("serve", "--port", "0"), async (url) => {
    expect((await fetch(`${url}/health/ready`, { proxy: false })).ok, "the server is ready");
    await must(docent("health", "--port", new URL(url).port));
  });
  return "served, read docs, and answered by quoting under qemu-aarch64-static";
}
