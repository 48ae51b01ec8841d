import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Figure, Measure } from "../figures.ts";
import { timeByFile } from "./cpu-profile.ts";
import type { Prepared } from "./prepare.ts";
import { profileReply } from "./spec.ts";

/** Of the files that take the most time. */
const FILES = 16;

/** Which files of Docent's a search spends its time in, by a profile of searches one after the other. */
export async function partsMeasure(of: string, place: string, prepared: Prepared): Promise<Measure[]> {
  const folder = join(place, "profile");
  const reply = await prepared.run("docent", "profile", profileReply, folder);
  if (typeof reply === "string") return [];
  const [file] = readdirSync(folder);
  const profile = await Bun.file(join(folder, file ?? "")).text();
  rmSync(folder, { recursive: true });
  const times = [...timeByFile(profile, reply)].sort(([, a], [, b]) => b - a);
  const all = times.reduce((sum, [, ms]) => sum + ms, 0);
  const figure = (name: string, ms: number): Figure => ({
    name,
    unit: "",
    values: [ms],
    shown: `${(ms / reply.searches).toFixed(3)} ms, ${((100 * ms) / all).toFixed(0)} %`,
  });
  const least = times.slice(FILES).reduce((sum, [, ms]) => sum + ms, 0);
  return [
    {
      title: `Where a search in ${of} spends its time`,
      how: `A sampling profile of ${reply.searches.toLocaleString("en-US")} searches, one after the other, by the innermost file of Docent's code, with all that it calls of others (SQLite, for one). The profile itself takes some time, so look at the proportions.`,
      figures: [
        ...times.slice(0, FILES).map(([name, ms]) => figure(name, ms)),
        ...(least > 0 ? [figure("all others", least)] : []),
      ],
    },
  ];
}
