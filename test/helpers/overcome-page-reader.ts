// A program for pages-in-a-process.test.ts: reads pages as this program does, and stands for one that a page has got the
// better of until only its words are asked for.

import { createByteSource } from "../../src/reading/byte-source.ts";
import { answerPage } from "../../src/reading/page-reading/page-reading.ts";
import { readFrame, writeFrame } from "../../src/reading/reading-process/conversation.ts";

const [way = ""] = process.argv.slice(2);
const held: Uint8Array[] = [];
const hang = () => {
  for (;;);
};

const WAYS: Record<string, () => void | Promise<void>> = {
  hang,
  "hang-always": hang,
  eat() {
    for (;;) held.push(new Uint8Array(10_000_000).fill(1));
  },
  leave: () => process.exit(0),
  sleep: () => Bun.sleep(600),
};

const source = createByteSource(Bun.stdin.stream());
for (;;) {
  const asked = await readFrame(source, 1_000_000);
  if (asked === undefined) break;
  const isLoading = asked.body.length === 0;
  const isPlain = new TextDecoder().decode(asked.body).includes('"isPlain":true');
  if (!isLoading && (!isPlain || way === "hang-always")) await WAYS[way]?.();
  for (const part of writeFrame({}, isLoading ? asked.body : answerPage(asked.body)))
    process.stdout.write(part);
}
