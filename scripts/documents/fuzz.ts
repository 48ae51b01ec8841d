import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DOCUMENT_KINDS, readDocument } from "../../src/reading/documents/documents.ts";

/**
 * Reads documents that were damaged at random: bytes changed, pieces cut out, doubled or put elsewhere. Says which took long
 * or threw, with the number that makes the same damage again.
 *
 *   bun scripts/documents/fuzz.ts <kind> <folder of documents> [<number of documents>] [<first number>]
 */
const SLOW_MS = 2_000;
const SIZE_MAX = 300_000;
/** What means something in one of the formats: it is put where it is not expected. */
const MARKS = [
  "{",
  "}",
  "\\",
  "\\'",
  "\\bin9999 ",
  "{\\*\\x",
  "\\u-1",
  "\r\n\r\n",
  "--",
  "=?",
  '"',
  ",",
  "<",
  "]]>",
  "\0",
  "\xff",
];

/** A random sequence that a number determines (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function damage(content: Uint8Array, random: () => number): Uint8Array {
  let bytes: Uint8Array = content.slice();
  const place = () => Math.floor(random() * bytes.length);
  for (let left = 1 + Math.floor(random() * 6); left > 0 && bytes.length > 0; left--) {
    const from = place();
    const to = Math.min(bytes.length, from + Math.floor(random() ** 3 * 2_000));
    const piece = bytes.subarray(from, to);
    const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
    const damages = [
      () => bytes.map((byte, at) => (at >= from && at < from + 8 ? Math.floor(random() * 256) : byte)),
      () => bytes.map((byte, at) => (at === from ? byte ^ (1 << Math.floor(random() * 8)) : byte)),
      () => joined(bytes.subarray(0, from), bytes.subarray(to)),
      () => bytes.slice(0, Math.max(1, from)),
      () =>
        joined(
          bytes.subarray(0, to),
          ...Array.from({ length: 1 + Math.floor(random() * 200) }, () => piece),
          bytes.subarray(to),
        ),
      () => {
        const mark = Buffer.from(MARKS[Math.floor(random() * MARKS.length)] ?? "", "latin1");
        const times = Math.floor(random() ** 4 * 20_000) + 1;
        return joined(
          bytes.subarray(0, from),
          ...Array.from({ length: times }, () => mark),
          bytes.subarray(from),
        );
      },
    ];
    bytes = damages[Math.floor(random() * damages.length)]?.() ?? bytes;
  }
  return bytes.slice(0, SIZE_MAX * 4);
}

const [name, folder = "", count = "2000", first = "0"] = process.argv.slice(2);
const kind = DOCUMENT_KINDS.find((known) => known === name);
if (kind === undefined) throw new Error(`give a kind: ${DOCUMENT_KINDS.join(", ")}`);
const files = readdirSync(folder).sort();
const outcomes = { read: 0, refused: 0, slow: 0, threw: 0, slowest: 0 };
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const file = files[seed % files.length] ?? "";
  const content = (await Bun.file(join(folder, file)).bytes()).subarray(0, SIZE_MAX);
  const damaged = damage(content, randomFrom(seed));
  const start = performance.now();
  try {
    const read = await readDocument(damaged, kind);
    outcomes["unreadable" in read ? "refused" : "read"] += 1;
  } catch (error) {
    outcomes.threw += 1;
    process.stdout.write(`${seed} ${file}: ${error instanceof Error ? error.stack?.slice(0, 500) : error}\n`);
  }
  const took = performance.now() - start;
  outcomes.slowest = Math.max(outcomes.slowest, Math.round(took));
  if (took < SLOW_MS) continue;
  outcomes.slow += 1;
  process.stdout.write(`${seed} ${file}: ${Math.round(took)} ms\n`);
}
const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024);
process.stdout.write(`${kind}: ${JSON.stringify(outcomes)}, at most ${megabytes} MB\n`);
