import { AppError } from "../errors.ts";

/** What is asked of a server, with a hint for whoever signs in to it, if it says no. */
export async function orRefusal<T>(asked: Promise<T>, hint: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "forbidden") throw error;
    throw new AppError("forbidden", error.message, { hint, cause: error.cause });
  }
}
