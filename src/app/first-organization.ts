import { AppError } from "../errors.ts";
import type { Sites } from "../sites/sites.ts";

/** Adds the organization that a new data directory begins with. */
export async function addFirstOrganization(sites: Sites): Promise<void> {
  try {
    await sites.addOrganization("default");
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
  }
}
