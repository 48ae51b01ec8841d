import { AppError } from "@docent/kernel/errors";

/** Whether the server itself says no. What has a cause was refused here: an address that the operator has not allowed. */
export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "forbidden" && error.cause === undefined;

/** What is asked of a server, with a hint for whoever signs in to it, if it says no. */
export async function orRefusal<T>(asked: Promise<T>, hint: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw isRefusal(error) ? new AppError("forbidden", error.message, { hint }) : error;
  }
}
