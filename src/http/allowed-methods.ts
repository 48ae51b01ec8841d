/** What a path may be asked with. */
export type AllowedMethods = (path: string) => string[];

interface Route {
  method: string;
  /** With `:name` for one part of it, and `*` for whatever follows. */
  path: string;
}

/** Of what is asked across origins, CORS tells. */
const ASKED_BEFOREHAND = "OPTIONS";

/** Looks in the routes there are, which are known when the first request of a wrong method comes. */
export function allowedMethods(routes: () => readonly Route[]): AllowedMethods {
  let known: { pattern: RegExp; methods: string[] }[] | undefined;
  return (path) => {
    known ??= patternsOf(routes());
    return [
      ...new Set(known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []))),
    ].toSorted();
  };
}

function patternsOf(routes: readonly Route[]) {
  const asked = routes.filter(({ method }) => method !== ASKED_BEFOREHAND);
  return [...Map.groupBy(asked, ({ path }) => path)].map(([path, own]) => ({
    pattern: patternOf(path),
    methods: own.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])),
  }));
}

function patternOf(path: string): RegExp {
  const source = path
    .split("/")
    .map((part) => (part === "*" ? ".*" : part.startsWith(":") ? "[^/]+" : RegExp.escape(part)))
    .join("/");
  return new RegExp(`^${source}/?$`);
}
