import { describe, test } from "bun:test";
import { engines } from "./outages/engines.ts";
import { opened, throughOutage, type Work } from "./outages/half-way.ts";
import { goldenOfRun, goldenOfServer } from "./outages/works/golden.ts";
import { indexOfServer, mergeOfCommand } from "./outages/works/index.ts";
import { auditOfServer, retentionOfServer } from "./outages/works/kept.ts";
import { noticesOfServer } from "./outages/works/notices.ts";
import { vectorsOfCommand, vectorsOfServer } from "./outages/works/vectors.ts";

const WORKS: readonly [guarantee: string, work: Work][] = [
  ["a merge of segments that a run makes is made, and each passage is found as before", mergeOfCommand],
  [
    "a merge of segments that a server makes is made, and each passage is found as before",
    indexOfServer("merged"),
  ],
  ["what is missing in an index is there, and the site is said to be whole once", indexOfServer("missing")],
  ["the vectors of another embedder are made once each by a command", vectorsOfCommand],
  [
    "the vectors of another embedder are all there, and what was stored is not made again",
    vectorsOfServer("stored"),
  ],
  ["a site whose vectors are used already is calibrated, and said to have them", vectorsOfServer("used")],
  ["what a site keeps no longer is gone, and all of it is counted", retentionOfServer],
  ["what the audit log keeps no longer is gone, and all of it is counted", auditOfServer],
  ["golden questions that somebody asks are answered whole or not at all", goldenOfServer],
  ["golden questions of a run are all asked, and it is published once", goldenOfRun],
  ["mails of which one was on its way arrive once each", noticesOfServer("mail")],
  ["messages to a chat of which one was on its way arrive once each", noticesOfServer("chat")],
  ["messages to Discord of which one was on its way arrive once each", noticesOfServer("discord")],
];

describe.each(engines())("when %s goes away in the middle and comes back", (_name, startEngine) => {
  test.each(WORKS)("%s", async (_guarantee, work) => {
    await using it = await opened(startEngine);
    await throughOutage(it, [work]);
  });
});
