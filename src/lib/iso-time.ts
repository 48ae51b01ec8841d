/** A moment as JSON has it; null where there is none. */
export const isoTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

const WRITTEN = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** The moment that a date, or a date and a time, means; in UTC where no zone is named. Undefined for anything else. */
export function readIsoTime(text: string): number | undefined {
  const [, date = "", time = "", zone] = WRITTEN.exec(text.trim()) ?? [];
  // The 31st of June would be taken for the 1st of July.
  const day = Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return undefined;
  const at = time === "" ? day : Date.parse(`${date}${time}${zone === undefined ? "Z" : ""}`.toUpperCase());
  return Number.isNaN(at) ? undefined : at;
}
