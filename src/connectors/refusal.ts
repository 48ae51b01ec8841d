import { AppError } from "../errors.ts";

/** What is asked of a server, with a hint for whoever signs in to it, if it says no. */
export async function orRefusal<T>(asked: Promise<T>, hint: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    // What has a cause was refused here, and not by the server.
    const isRefusal = error instanceof AppError && error.code === "forbidden" && error.cause === undefined;
    throw isRefusal ? new AppError("forbidden", error.message, { hint }) : error;
  }
}
