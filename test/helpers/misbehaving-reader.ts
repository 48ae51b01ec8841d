// A program for documents-in-a-process.test.ts: stands for a reader of documents that a file has got the better of.
const [way = ""] = process.argv.slice(2);
const held: Uint8Array[] = [];

const WAYS: Record<string, () => void> = {
  hang() {
    for (;;);
  },
  eat() {
    for (;;) held.push(new Uint8Array(10_000_000).fill(1));
  },
  "hang-with-path"() {
    while (process.env["PATH"] !== undefined);
    process.exit(0);
  },
  crash: () => process.kill(process.pid, "SIGSEGV"),
  leave: () => process.exit(0),
  babble: () => void process.stdout.write("no frame at all, and long enough to look like one"),
};

process.stdin.once("data", () => WAYS[way]?.());
