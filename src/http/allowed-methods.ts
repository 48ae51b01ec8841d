/** The methods that a path answers. */
type AllowedMethods = (path: string) => string[];

interface Route {
  method: string;
  /** With `:name` for one part of it, and `*` for whatever follows. */
  path: string;
}

/** Browsers send it before they ask across origins: the CORS plugin answers it, whatever the operation. */
const ASKED_BEFOREHAND = "OPTIONS";

/** Looks among the server's routes, which it reads with the first request of a wrong method: by then all are there. */
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
