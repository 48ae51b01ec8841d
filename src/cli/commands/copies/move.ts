import { z } from "zod";
import { AppError } from "../../../errors.ts";
import { type Command, textOption } from "../../command.ts";
import { printJson } from "../../output.ts";

export const move: Command = {
  words: [0, 0],
  options: { to: { type: "string" } },
  optionHelp: {
    to: "an empty PostgreSQL database, or a new directory; a password may be in PGPASSWORD instead",
  },
  json: { shape: z.object({ tables: z.int(), rows: z.int() }) },
  async run(context) {
    const { terminal, signal, options } = context;
    const to = textOption(context, "to");
    if (to === undefined) {
      throw new AppError("invalid_request", "Say where everything is to go.", {
        hint: "docent move --to postgres://user@host/docent",
      });
    }
    const isJson = options["json"] === true;
    const moved = await context.moveEverything(to, {
      signal,
      onTable({ table, rows }) {
        if (!isJson && rows > 0) terminal.out(`${table}: ${rows}\n`);
      },
    });
    if (isJson) return printJson(context, moved);
    terminal.out(`Moved ${moved.rows} rows, and compared them. Start the servers with the new place now.\n`);
    return undefined;
  },
};
