import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDocumentReading } from "../../../src/reading/document-process/documents.ts";
import { PROGRAM } from "../../helpers/program.ts";

const content = new TextEncoder().encode("name,age\nAda,36\n");
const BOUNDS = {
  environment: process.env,
  bytesMax: 1_000_000,
  keptBytesMax: 0,
  documentMs: 20_000,
  memoryBytesMax: 1_000_000_000,
};

const misbehaving = (way: string, bounds: Partial<typeof BOUNDS> = {}) =>
  openDocumentReading({
    command: [process.execPath, join(import.meta.dir, "../../helpers/misbehaving-reader.ts"), way],
    ...BOUNDS,
    ...bounds,
  });

const program = () => openDocumentReading({ command: [...PROGRAM, "read-documents"], ...BOUNDS });

describe("a document is read in a process of its own", () => {
  test("by this program, one after the other, with what it knows of each", async () => {
    const reading = program();
    const both = await Promise.all([reading.read(content, "csv"), reading.read(content, "csv")]);
    expect(both[0]).toMatchObject({ markdown: expect.stringContaining("| Ada | 36 |") });
    expect(both[1]).toEqual(both[0]);
  });

  test("and is left out where it never ends, takes all memory, or ends that process", async () => {
    expect(await misbehaving("hang", { documentMs: 300 }).read(content, "pdf")).toEqual({
      unreadable: "takes more than 0.3 seconds to read",
    });
    expect(await misbehaving("eat", { memoryBytesMax: 300_000_000 }).read(content, "pdf")).toEqual({
      unreadable: "takes more than 300 MB of memory to read",
    });
    for (const way of ["crash", "leave", "babble"])
      expect(await misbehaving(way).read(content, "pdf"), way).toEqual({
        unreadable: "is damaged, or was made to harm: the process that read it has ended",
      });
  });

  test("and the next one by a new process", async () => {
    const reading = misbehaving("leave");
    for (let tries = 0; tries < 2; tries++)
      expect(await reading.read(content, "pdf")).toMatchObject({
        unreadable: expect.stringContaining("ended"),
      });
  });

  test("which ends at once when the run is stopped", async () => {
    const stop = new AbortController();
    const reading = misbehaving("hang").read(content, "pdf", stop.signal);
    stop.abort(new DOMException("stopped", "AbortError"));
    expect(await reading.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  });

  test("to which no variable of the environment is given", async () => {
    expect(process.env["PATH"]).toBeDefined();
    expect(await misbehaving("hang-with-path", { documentMs: 300_000 }).read(content, "pdf")).toMatchObject({
      unreadable: expect.stringContaining("has ended"),
    });
  });
});
