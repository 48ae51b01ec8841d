import { AppError } from "../errors.ts";
import { type Context, textOption } from "./command.ts";

/** What the option of a key's end means. */
export const EXPIRES_HELP = "in how many days it ends, such as 90; never otherwise";

/** In how many days a new key ends; undefined: never. */
export function expiresDays(context: Context): number | undefined {
  const given = textOption(context, "expires");
  if (given === undefined || given === "never") return undefined;
  const count = /^\d{1,5}d?$/.test(given) ? Number.parseInt(given, 10) : 0;
  if (count > 0) return count;
  throw new AppError(
    "invalid_request",
    `--expires takes a number of days such as 90, or never, not ${given}.`,
  );
}
