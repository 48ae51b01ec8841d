import type { Measure } from "../figures.ts";
import type { Program } from "../processes.ts";
import { measureMillion } from "./measure-million.ts";
import { measureMove } from "./measure-move.ts";
import { measureRanking } from "./measure-ranking.ts";
import { measureServers } from "./measure-servers.ts";

/** The measurements of Docent over PostgreSQL by their names. */
export function postgresMeasures(): Record<
  string,
  (program: Program, directory: string) => Promise<Measure>
> {
  return {
    ranking: measureRanking,
    move: measureMove,
    servers: measureServers,
    million: measureMillion,
  };
}
