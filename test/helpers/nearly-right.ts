type Random = () => number;

const JUNK: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\0",
  "\ud800",
  "x".repeat(300),
  "__proto__",
  "user",
  "text",
  "file",
  "data:",
  "data:;base64,====",
  "data:text/plain,%",
  "http://127.0.0.1:1/",
  "../../etc/passwd",
  "' OR 1=1 --",
  [],
  {},
  [[]],
  [null],
  { type: "text" },
  { type: "file" },
  { type: "constructor" },
  { toString: 1, valueOf: null },
  { length: 9 },
];
const NAMES = ["__proto__", "constructor", "type", "text", "content", "parts", "role", "", "\0"];

export const pick = <T>(random: Random, from: readonly T[]): T | undefined =>
  from[Math.floor(random() * from.length)];

/** The value with one thing in it replaced, left out, doubled or added. */
function changed(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random() < 0.1) return pick(random, JUNK);
  const key = pick(random, Object.keys(value));
  if (key === undefined) return pick(random, JUNK);
  if (Array.isArray(value)) {
    const index = Number(key);
    if (random() < 0.1) return value.toSpliced(index, 1);
    if (random() < 0.1) return [...value, value[index]];
    return value.with(index, changed(value[index], random));
  }
  const entries = Object.entries(value);
  if (random() < 0.12) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (random() < 0.08)
    return Object.fromEntries([...entries, [pick(random, NAMES) ?? "", pick(random, JUNK)]]);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, name === key ? changed(each, random) : each]),
  );
}

/** A body as text, with one to four changes; now and then, text that a connection or a careless app has damaged. */
export function nearlyRight(full: object, random: Random): string {
  let body: unknown = full;
  for (let changes = Math.floor(random() * 4); changes >= 0; changes--) body = changed(body, random);
  const text = JSON.stringify(body) ?? "";
  if (random() > 0.06) return text;
  const at = Math.floor(random() * text.length);
  return random() < 0.5
    ? text.slice(0, at)
    : `${text.slice(0, at)}${pick(random, ["{", "\0", '"', "\\u"])}${text.slice(at)}`;
}

/** What would tell of the inside: where the program is, what it is made of, what it stumbled over. */
export const INTERNAL =
  /\/src\/|node_modules|\bat \w+ \(|TypeError|SQLITE|undefined is not|is not a function|ZodError/;

/** Does something with each, eight at a time. */
export async function eightAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
