import { posix, relative } from "node:path";
import { parse } from "acorn";

// Watches which functions of `src` call which, while something is done: the way that it takes through the rooms.

/** A call that leads from a function of one file to a function of another. */
export interface Crossing {
  from: string;
  to: string;
}

export interface Trace {
  crossings: Crossing[];
}

/** What everyone takes files from, and the stores, which implement what others ask of them: no rooms of a way. */
const NO_ROOMS = /^src\/(?:kernel|storage)\//;
const FRAME = /^\s*at (?!async )(?:(.*?) \()?(\/[^():]+):\d+:\d+\)?$/;
const FRAMES_MAX = 30;

/**
 * Marks every function of `src` that is imported from now on, and notes the calls between files once `start` was called:
 * "src/sites/ingest/run#readSource". Each pair of functions counts once. Calls of the kernel and of stores, and arrows without a body of
 * statements, are not seen.
 */
export function traceCalls(root: string, start: { room: string; name: string }): Trace {
  const trace: Trace = { crossings: [] };
  const seen = new Set<string>();
  let hasBegun = false;
  Error.stackTraceLimit = FRAMES_MAX;
  const pathOf = (file: string) => relative(root, file);
  const enter = (file: string, name: string) => {
    const to = pathOf(file);
    hasBegun ||= posix.dirname(to) === start.room && name === start.name;
    if (!hasBegun || NO_ROOMS.test(to)) return;
    const [, caller] = framesOf(new Error().stack ?? "").filter((frame) => isOfSource(root, frame.file));
    const from = caller && pathOf(caller.file);
    if (from === undefined || from === to || NO_ROOMS.test(from)) return;
    const key = `${from}#${caller?.name}>${to}#${name}`;
    if (seen.has(key)) return;
    seen.add(key);
    trace.crossings.push({ from, to });
  };
  Object.assign(globalThis, { enterTraced: enter });
  Bun.plugin({
    name: "trace",
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const loader = path.endsWith("x") ? "tsx" : "ts";
        return isOfSource(root, path)
          ? { contents: marked(path, text), loader: "js" }
          : { contents: text, loader };
      });
    },
  });
  return trace;
}

const isOfSource = (root: string, file: string) => file.startsWith(`${root}/src/`);

/** The frames of a stack that are called at once, without those that only wait. */
const framesOf = (stack: string) =>
  stack.split("\n").flatMap((line) => {
    const [, name = "", file] = FRAME.exec(line) ?? [];
    return file === undefined ? [] : [{ name, file }];
  });

/** The code with a call at the beginning of each function's body. */
function marked(path: string, text: string): string {
  const code = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts", target: "bun" }).transformSync(
    text,
  );
  const marks: { at: number; name: string }[] = [];
  const visit = (node: unknown, name: string): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, "");
    else if (isNode(node)) {
      const own = nameIn(node["id"]) ?? nameIn(node["key"]) ?? name;
      const { body } = node;
      if (/Function/.test(node.type) && isNode(body) && body.type === "BlockStatement")
        marks.push({ at: body.start + 1, name: own });
      for (const [key, value] of Object.entries(node))
        visit(value, key === "init" || key === "value" ? own : "");
    }
  };
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }), "");
  let out = code;
  for (const { at, name } of marks.toSorted((one, other) => other.at - one.at))
    out = `${out.slice(0, at)}enterTraced(${JSON.stringify(path)},${JSON.stringify(name)});${out.slice(at)}`;
  return out;
}

type SyntaxNode = { type: string; start: number } & Record<string, unknown>;

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

const nameIn = (node: unknown): string | undefined =>
  isNode(node) && typeof node["name"] === "string" ? node["name"] : undefined;
