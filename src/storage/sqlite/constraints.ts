/** Whether a write failed because something of that name exists already. */
export function isTaken(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (
      "code" in each &&
      (each.code === "SQLITE_CONSTRAINT_UNIQUE" || each.code === "SQLITE_CONSTRAINT_PRIMARYKEY")
    ) {
      return true;
    }
  }
  return false;
}
