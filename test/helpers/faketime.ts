import { existsSync } from "node:fs";

/** Where Debian, and where others keep it; `DOCENT_TEST_FAKETIME` names another place. */
const PLACES = [
  process.env["DOCENT_TEST_FAKETIME"] ?? "",
  ...["x86_64", "aarch64"].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`),
  "/usr/lib/faketime/libfaketimeMT.so.1",
];
const library = PLACES.find((place) => place !== "" && existsSync(place));

/** Whether a program can be given another clock here. */
export const hasFaketime = library !== undefined;

/** An environment in which a program's clock is ahead by so many seconds. How fast time passes is the same. */
export const clockAhead = (seconds: number): Record<string, string> =>
  library === undefined
    ? {}
    : {
        LD_PRELOAD: library,
        FAKETIME: `${seconds >= 0 ? "+" : ""}${seconds}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
