import { AppError } from "../../src/kernel/errors.ts";

/** The AppError that some work ends in. Anything else, success included, fails the test. */
export async function appErrorOf(work: () => unknown): Promise<AppError> {
  let result: unknown;
  try {
    result = await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`an AppError was expected, not ${JSON.stringify(result)}`);
}
