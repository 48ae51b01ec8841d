import type { z } from "zod";
import { gives } from "../operation/gives.ts";
import { type AdminOperation, operation, reply } from "./operation.ts";
import type { AdminOptions } from "./options.ts";
import { serverStateShape } from "./settings-shapes.ts";

/** What can be told of a server that runs. */
export type ServerState = z.output<typeof serverStateShape>;

/** The server itself. */
export function serverOperations({ describeServer }: Pick<AdminOptions, "describeServer">): AdminOperation[] {
  return [
    operation({
      method: "GET",
      path: "/server",
      serverOnly: true,
      summary: "Show the server's version, its data and where its metrics are",
      replies: gives(200, "The server.", serverStateShape),
      run: async () => reply(await describeServer()),
    }),
  ];
}
