import { expect, test } from "bun:test";
import { ELSEWHERE, timeByFile } from "../../scripts/bench/retrieval/cpu-profile.ts";

test("time counts for the innermost file of Docent, with what it calls of others, within the span", () => {
  const frame = (url: string) => ({ functionName: "f", url });
  const profile = {
    startTime: 1_000_000,
    nodes: [
      { id: 1, callFrame: frame(""), children: [2, 5] },
      { id: 2, callFrame: frame("file:///d/src/finding/search/search.ts"), children: [3] },
      { id: 3, callFrame: frame("file:///d/src/storage/store.ts"), children: [4] },
      { id: 4, callFrame: frame("") },
      { id: 5, callFrame: frame("") },
    ],
    samples: [2, 4, 2, 5, 4],
    timeDeltas: [1000, 2000, 3000, 4000, 5000],
  };
  // The last sample comes after the span.
  const times = timeByFile(JSON.stringify(profile), { from: 1000, until: 1010 });
  expect([...times]).toEqual([
    ["src/finding/search/search.ts", 4],
    ["src/storage/store.ts", 2],
    [ELSEWHERE, 4],
  ]);
});
