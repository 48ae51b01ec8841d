const FIELDS: Record<string, string> = {
  SUMMARY: "",
  DTSTART: "Start: ",
  DTEND: "End: ",
  LOCATION: "Location: ",
  DESCRIPTION: "",
};

/** The words of an invitation, a line for each field. */
export function calendarText(text: string): string {
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/);
  const start = lines.findIndex((line) => /^BEGIN:V(?:EVENT|TODO|JOURNAL)/i.test(line));
  const words: string[] = [];
  for (const line of lines.slice(Math.max(0, start))) {
    const [, name = "", value = ""] = /^([A-Z]{1,20})(?:;[^:]{0,500})?:([\s\S]*)$/.exec(line) ?? [];
    const label = FIELDS[name];
    if (label !== undefined && value.trim() !== "")
      words.push(label + unescaped(name.startsWith("DT") ? shownDate(value) : value));
  }
  return words.join("\n\n");
}

const unescaped = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, mark: string) => (/n/i.test(mark) ? "\n" : mark));

const shownDate = (value: string) =>
  value.replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d{0,2}Z?)?$/, (_, year, month, day, hour, minute) =>
    hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day} ${hour}:${minute}`,
  );
