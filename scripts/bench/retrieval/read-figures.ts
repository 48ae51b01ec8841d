import type { Figure, Measure } from "../figures.ts";
import type { Indexed } from "./docent-index.ts";
import type { Corpus } from "./write-corpus.ts";

const SECONDS_AIM = 45;
const AGAIN_SECONDS_AIM = 3;
/** The server's memory afterwards, over what it was before. */
const GROWTH_AIM = 1.3;
const PASSAGE_BYTES_AIM = 5000;

/** The figures of reading a folder of pages. */
export function readMeasure(whatPages: string, { pageCount }: Corpus, indexed: Indexed): Measure {
  const { seconds, againSeconds, passages, bytes, tables, beforeMb, readerPeakMb, afterMb } = indexed;
  const single = (name: string, unit: Figure["unit"], value: number, below?: number): Figure => ({
    name,
    unit,
    values: [value],
    ...(below === undefined ? {} : { aim: { below } }),
  });
  const counted = pageCount.toLocaleString("en-US");
  return {
    title: `Reading ${counted} ${whatPages}`,
    how: `A folder of ${counted} ${whatPages}, with ${passages.toLocaleString("en-US")} passages and their vectors, into an empty data directory. A server is asked to, through the admin API, and starts a process for the run. Then the same again, unchanged. Memory is RSS: of the server 4 seconds after its start and after the run, and the most of the process that read.`,
    figures: [
      single("Reading all", "s", seconds, SECONDS_AIM),
      single("Pages", "per second", pageCount / seconds),
      single("Passages", "per second", passages / seconds),
      single("Reading them again, unchanged", "s", againSeconds, AGAIN_SECONDS_AIM),
      single("Memory of the server, before", "MB", beforeMb),
      single("Memory of the server, after", "MB", afterMb, Math.round(beforeMb * GROWTH_AIM)),
      single("Memory of the reading process, the most", "MB", readerPeakMb),
      single("Database, for each passage", "bytes", bytes / passages, PASSAGE_BYTES_AIM),
      ...Object.entries(tables)
        .sort(([, a], [, b]) => b - a)
        .map(([what, held]) => single(`Of it: ${what}`, "bytes", held / passages)),
    ],
  };
}
