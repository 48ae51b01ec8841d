/** A moment in JSON; null where there is none. */
export const isoTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

const WRITTEN = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** The moment that a date, or a date and time, names; in UTC without a zone. Undefined for anything else. */
export function readIsoTime(text: string): number | undefined {
  const [, date = "", time = "", zone] = WRITTEN.exec(text.trim()) ?? [];
  // Date.parse would take the 31st of June for the 1st of July.
  const day = Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return undefined;
  const at = time === "" ? day : Date.parse(`${date}${time}${zone === undefined ? "Z" : ""}`.toUpperCase());
  return Number.isNaN(at) ? undefined : at;
}
