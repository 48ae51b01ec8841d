import { isRecord } from "@docent/kernel/text/json";
import type { AnyNode, Expression, Function as FunctionNode, Pattern, Program, Statement } from "acorn";
import { parse } from "acorn";
import { createScope, type Scope } from "./scope.ts";
import { computed, isComputed, knownIn, unwrapCalls } from "./values.ts";

/** What a script exports, as far as its text tells. */
export interface ScriptValues {
  value: unknown;
  named: Record<string, unknown>;
  /** Its functions by their names, for the scripts that import them. */
  functions?: ReadonlyMap<string, ScriptFunction>;
  fault?: string;
}

/** What a function gives for what it is given; `depth` is that of the call. */
export type ScriptFunction = (given: readonly unknown[], depth: number) => unknown;

/** Reads what another script exports, by the name that it is imported with. */
type LoadScript = (
  specifier: string,
) => Promise<Pick<ScriptValues, "value" | "named" | "functions"> | undefined>;

const CHARACTERS_MAX = 2_000_000;
/** An expression is followed this deep, and a script for this many steps: it may be anybody's. */
const DEPTH_MAX = 60;
const STEPS_MAX = 500_000;
/** What doubles with each line grows no further. */
const ELEMENTS_MAX = 50_000;
const TEXT_CHARACTERS_MAX = 500_000;
/** How many texts of that length a script may make. */
const CHARACTERS_MADE_MAX = 20_000_000;
/** How often a function may be in itself. */
const CALLS_IN_THEMSELVES_MAX = 10;

/** How much work reading scripts may still be. */
export interface ScriptBudget {
  steps: number;
  characters: number;
}

export const createScriptBudget = (): ScriptBudget => ({ steps: STEPS_MAX, characters: CHARACTERS_MADE_MAX });

/** Reads a script's exports from its literals, its constants and the scripts that it imports. Runs nothing. */
export async function readScript(
  text: string,
  load: LoadScript,
  budget = createScriptBudget(),
): Promise<ScriptValues> {
  budget.characters -= text.length;
  if (text.length > CHARACTERS_MAX || budget.characters < 0)
    return { value: undefined, named: {}, fault: "it is too large" };
  let program: Program;
  let source: string;
  try {
    // Types are taken out; a config may be TypeScript whatever its extension says.
    source = new Bun.Transpiler({ loader: "tsx", target: "bun", deadCodeElimination: false }).transformSync(
      text,
    );
    program = parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowReturnOutsideFunction: true,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { value: undefined, named: {}, fault: why };
  }
  const reading: Reading = {
    source,
    scope: createScope(),
    functions: new Map(),
    calls: new Map(),
    budget,
  };
  for (const [name, node] of functionsIn(program))
    reading.functions.set(name, (given, depth) => returnedBy(node, reading, depth, given));
  await takeImports(program, load, reading);
  const { value, named, ...rest } = exportsOf(program, reading);
  const passed = await passedOn(program, load);
  return { ...rest, value: value ?? passed["default"], named: Object.assign(passed, named) };
}

/** A script that is being read. */
interface Reading {
  source: string;
  /** The constants that are known so far. */
  scope: Scope;
  /** The script's functions by name, which may be called above the line that declares them. */
  functions: Map<string, ScriptFunction>;
  /** How often the functions that are being followed are in themselves. */
  calls: Map<FunctionNode, number>;
  budget: ScriptBudget;
}

function functionsIn(program: Program): Map<string, FunctionNode> {
  const found = new Map<string, FunctionNode>();
  for (const node of program.body) {
    const declared = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (declared?.type === "FunctionDeclaration") found.set(declared.id?.name ?? "", declared);
    if (declared?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declared.declarations) {
      const isFunction = init?.type === "ArrowFunctionExpression" || init?.type === "FunctionExpression";
      if (id.type === "Identifier" && isFunction) found.set(id.name, init);
    }
  }
  return found;
}

async function takeImports(program: Program, load: LoadScript, { scope, functions }: Reading): Promise<void> {
  for (const node of program.body) {
    if (node.type === "ImportDeclaration" && typeof node.source.value === "string") {
      const loaded = await load(node.source.value);
      for (const specifier of node.specifiers) {
        if (loaded === undefined) continue;
        if (specifier.type === "ImportSpecifier") {
          const { imported } = specifier;
          const name = imported.type === "Identifier" ? imported.name : String(imported.value);
          const value = name === "default" ? loaded.value : loaded.named[name];
          if (value !== undefined) scope.set(specifier.local.name, value);
          const given = loaded.functions?.get(name);
          if (given !== undefined) functions.set(specifier.local.name, given);
        } else if (specifier.type === "ImportDefaultSpecifier") scope.set(specifier.local.name, loaded.value);
        else scope.set(specifier.local.name, { ...loaded.named, default: loaded.value });
      }
    }
    for (const { name, specifier } of requiresIn(node)) {
      const loaded = await load(specifier);
      if (loaded !== undefined) scope.set(name, loaded.value ?? loaded.named);
    }
  }
}

/** What `export * from "./x"` and `export { a as b } from "./x"` pass on. */
async function passedOn(program: Program, load: LoadScript): Promise<Record<string, unknown>> {
  const named: Record<string, unknown> = Object.create(null);
  for (const node of program.body) {
    const isAll = node.type === "ExportAllDeclaration";
    if (!isAll && node.type !== "ExportNamedDeclaration") continue;
    const loaded = typeof node.source?.value === "string" ? await load(node.source.value) : undefined;
    if (loaded === undefined) continue;
    if (isAll && node.exported === null) Object.assign(named, loaded.named);
    else if (isAll && node.exported?.type === "Identifier") named[node.exported.name] = loaded.named;
    for (const { local, exported } of isAll ? [] : node.specifiers) {
      if (local.type !== "Identifier" || exported.type !== "Identifier") continue;
      named[exported.name] = local.name === "default" ? loaded.value : loaded.named[local.name];
    }
  }
  return named;
}

/** `const x = require("./x")`. */
function requiresIn(node: Program["body"][number]): { name: string; specifier: string }[] {
  if (node.type !== "VariableDeclaration") return [];
  return node.declarations.flatMap(({ id, init }) => {
    if (id.type !== "Identifier" || init?.type !== "CallExpression") return [];
    const { callee, arguments: given } = init;
    const [first] = given;
    const isRequire = callee.type === "Identifier" && callee.name === "require";
    if (!isRequire || first?.type !== "Literal" || typeof first.value !== "string") return [];
    return [{ name: id.name, specifier: first.value }];
  });
}

function exportsOf(program: Program, reading: Reading): ScriptValues {
  const named: Record<string, unknown> = Object.create(null);
  let value: unknown;
  for (const node of program.body) {
    if (node.type === "ExportDefaultDeclaration") value = exportedValue(node.declaration, reading);
    else if (node.type === "ExportNamedDeclaration") {
      if (node.declaration) declare(node.declaration, reading, named);
      for (const { local, exported } of node.source ? [] : node.specifiers) {
        if (local.type !== "Identifier" || exported.type !== "Identifier") continue;
        const known = reading.scope.get(local.name);
        if (exported.name === "default") value = known;
        else named[exported.name] = known;
      }
    } else if (node.type === "ExpressionStatement") {
      const assigned = exportAssigned(node.expression, reading);
      if (assigned?.name === "") value = assigned.value;
      else if (assigned) named[assigned.name] = assigned.value;
    } else declare(node, reading);
  }
  return { value, named, functions: reading.functions };
}

function exportedValue(node: AnyNode, reading: Reading): unknown {
  if (node.type === "FunctionDeclaration") return returnedBy(node, reading, 0);
  return isExpression(node) ? evaluate(node, reading, 0) : undefined;
}

/** `module.exports = …` has the name "", `exports.x = …` the name x. */
function exportAssigned(node: Expression, reading: Reading): { name: string; value: unknown } | undefined {
  if (node.type !== "AssignmentExpression" || node.left.type !== "MemberExpression") return undefined;
  const target = reading.source.slice(node.left.start, node.left.end);
  const name = /^(?:module\.exports|exports)(?:\.(\w+))?$/.exec(target);
  if (name === null || (target === "exports" && name[1] === undefined)) return undefined;
  return { name: name[1] ?? "", value: evaluate(node.right, reading, 0) };
}

/** Notes the constants, and the functions by what they return. */
function declare(node: AnyNode, reading: Reading, into?: Record<string, unknown>): void {
  const note = (name: string, value: unknown) => {
    reading.scope.set(name, value);
    if (into) into[name] = value;
  };
  if (node.type === "VariableDeclaration") {
    for (const { id, init } of node.declarations) {
      const isKnown = id.type === "Identifier" && reading.scope.has(id.name);
      if (!init || isKnown) continue;
      const value = evaluate(init, reading, 0);
      if (id.type === "Identifier") note(id.name, value);
      else destructure(id, value, note);
    }
  } else if (node.type === "FunctionDeclaration" && node.id) note(node.id.name, returnedBy(node, reading, 0));
}

function destructure(pattern: Pattern, value: unknown, note: (name: string, value: unknown) => void): void {
  if (pattern.type !== "ObjectPattern" || !isRecord(value)) return;
  for (const property of pattern.properties) {
    if (property.type !== "Property" || property.key.type !== "Identifier") continue;
    if (property.value.type === "Identifier") note(property.value.name, value[property.key.name]);
  }
}

/** What a function returns at its end, where its own constants and what it is given tell. */
function returnedBy(
  node: FunctionNode,
  reading: Reading,
  depth: number,
  given: readonly unknown[] = [],
): unknown {
  const { calls } = reading;
  const around = calls.get(node) ?? 0;
  if (depth > DEPTH_MAX || around >= CALLS_IN_THEMSELVES_MAX) return sourceOf(node, reading);
  calls.set(node, around + 1);
  const returned = followed(node, { ...reading, scope: createScope(reading.scope) }, depth, given);
  calls.set(node, around);
  return returned;
}

function followed(node: FunctionNode, inner: Reading, depth: number, given: readonly unknown[]): unknown {
  node.params.forEach((parameter, index) => {
    takeParameter(parameter, given[index], inner, depth);
  });
  if (isExpression(node.body)) return evaluate(node.body, inner, depth + 1);
  let returned: unknown = sourceOf(node, inner);
  for (const statement of statementsOf(node)) {
    if (statement.type === "ReturnStatement" && statement.argument)
      returned = evaluate(statement.argument, inner, depth + 1);
    else declare(statement, inner);
  }
  return returned;
}

/** Notes what a function is given under the names that it has for that. */
function takeParameter(parameter: Pattern, given: unknown, inner: Reading, depth: number): void {
  const { pattern, usual } =
    parameter.type === "AssignmentPattern"
      ? { pattern: parameter.left, usual: parameter.right }
      : { pattern: parameter, usual: undefined };
  const value = given === undefined && usual !== undefined ? evaluate(usual, inner, depth + 1) : given;
  if (pattern.type !== "Identifier") destructure(pattern, value, (name, part) => inner.scope.set(name, part));
  else if (value !== undefined) inner.scope.set(pattern.name, value);
  // A parameter that is not known hides a constant of its name.
  else inner.scope.hide(pattern.name);
}

const statementsOf = (node: FunctionNode): Statement[] =>
  node.body.type === "BlockStatement" ? node.body.body : [];

const sourceOf = (node: Pick<AnyNode, "start" | "end">, { source }: Reading) =>
  computed(source.slice(node.start, node.end));

const isExpression = (node: AnyNode): node is Expression =>
  /Expression$|^(?:Literal|Identifier|TemplateLiteral)$/.test(node.type);

function evaluate(node: AnyNode, reading: Reading, depth: number): unknown {
  if (depth > DEPTH_MAX || reading.budget.steps-- <= 0) return sourceOf(node, reading);
  const next = (inner: AnyNode) => evaluate(inner, reading, depth + 1);
  switch (node.type) {
    case "Literal":
      return node.value instanceof RegExp ? sourceOf(node, reading) : node.value;
    case "Identifier":
      return reading.scope.has(node.name)
        ? reading.scope.get(node.name)
        : unknownName(node.name, node, reading);
    case "ObjectExpression":
      return objectOf(node.properties, next, reading);
    case "ArrayExpression": {
      const list = node.elements.flatMap((each) => (each ? elementOf(each, next) : [undefined]));
      reading.budget.steps -= list.length;
      return list.length > ELEMENTS_MAX ? sourceOf(node, reading) : list;
    }
    case "TemplateLiteral":
      return templateOf(node, next, reading);
    case "MemberExpression":
      return memberOf(node, next, reading);
    case "ConditionalExpression":
      return chosen(
        next(node.test),
        () => next(node.consequent),
        () => next(node.alternate),
        node,
        reading,
      );
    case "LogicalExpression":
    case "BinaryExpression":
      return combined(node, next, reading);
    case "UnaryExpression":
      return negated(node.operator, next(node.argument), node, reading);
    case "AwaitExpression":
    case "ParenthesizedExpression":
      return next(node.type === "AwaitExpression" ? node.argument : node.expression);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return returnedBy(node, reading, depth);
    case "CallExpression":
    case "NewExpression":
      return callIn(node, next, reading, depth);
    default:
      return sourceOf(node, reading);
  }
}

function unknownName(name: string, node: AnyNode, reading: Reading): unknown {
  return name === "undefined" ? undefined : sourceOf(node, reading);
}

type Next = (node: AnyNode) => unknown;

function objectOf(properties: readonly AnyNode[], next: Next, { budget }: Reading): Record<string, unknown> {
  const made: Record<string, unknown> = Object.create(null);
  for (const property of properties) {
    if (property.type === "SpreadElement") {
      // What helpers such as `defineConfig` are given comes out of them.
      const spread = unwrapCalls(next(property.argument));
      if (!isRecord(spread) || isComputed(spread) || budget.steps <= 0) continue;
      budget.steps -= Object.keys(spread).length;
      Object.assign(made, spread);
    } else if (property.type === "Property") {
      const { key } = property;
      const name = !property.computed && key.type === "Identifier" ? key.name : next(key);
      if (typeof name === "string" || typeof name === "number")
        if (name !== "__proto__") made[name] = next(property.value);
    }
  }
  return made;
}

function elementOf(node: AnyNode, next: Next): unknown[] {
  if (node.type !== "SpreadElement") return [next(node)];
  const spread = next(node.argument);
  return Array.isArray(spread) ? spread : [spread];
}

function templateOf(
  node: Extract<AnyNode, { type: "TemplateLiteral" }>,
  next: Next,
  reading: Reading,
): unknown {
  const parts = node.quasis.map(({ value }) => value.cooked ?? value.raw);
  const between = node.expressions.map(next);
  if (between.some((each) => !isPlain(each))) return sourceOf(node, reading);
  const whole = () =>
    parts.map((part, index) => part + (index < between.length ? String(between[index]) : "")).join("");
  return boundedText(whole, node, reading);
}

function boundedText(make: () => string, node: AnyNode, reading: Reading): unknown {
  if (reading.budget.characters <= 0) return sourceOf(node, reading);
  const text = make();
  reading.budget.characters -= text.length;
  const isTooMuch = text.length > TEXT_CHARACTERS_MAX || reading.budget.characters < 0;
  return isTooMuch ? sourceOf(node, reading) : text;
}

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

function memberOf(
  node: Extract<AnyNode, { type: "MemberExpression" }>,
  next: Next,
  reading: Reading,
): unknown {
  const holder = next(node.object);
  const key =
    !node.computed && node.property.type === "Identifier" ? node.property.name : next(node.property);
  if (Array.isArray(holder) && typeof key === "number") return holder[key];
  const isKnown = isRecord(holder) && !isComputed(holder) && typeof key === "string";
  return isKnown && Object.hasOwn(holder, key) ? holder[key] : sourceOf(node, reading);
}

function chosen(
  test: unknown,
  yes: () => unknown,
  no: () => unknown,
  node: AnyNode,
  reading: Reading,
): unknown {
  if (!isComputed(test)) return test ? yes() : no();
  const [first, second] = [yes(), no()];
  if (isPlain(first) && first === second) return first;
  // What a published site has is what nothing special was set for.
  return { ...sourceOf(node, reading), guess: isComputed(second) ? second.guess : second };
}

function combined(
  node: Extract<AnyNode, { type: "LogicalExpression" | "BinaryExpression" }>,
  next: Next,
  reading: Reading,
): unknown {
  const left = next(node.left);
  const right = next(node.right);
  if (node.operator === "||" || node.operator === "??") {
    if (isComputed(left)) return { ...sourceOf(node, reading), guess: right };
    return node.operator === "||" ? left || right : (left ?? right);
  }
  if (isComputed(left) || isComputed(right)) return sourceOf(node, reading);
  if (node.operator === "&&") return left && right;
  if (node.operator === "===" || node.operator === "==") return left === right;
  if (node.operator === "!==" || node.operator === "!=") return left !== right;
  if (node.operator === "-" && typeof left === "number" && typeof right === "number") return left - right;
  if (node.operator !== "+" || !isPlain(left) || !isPlain(right)) return sourceOf(node, reading);
  if (typeof left === "number" && typeof right === "number") return left + right;
  return boundedText(() => `${left}${right}`, node, reading);
}

function negated(operator: string, value: unknown, node: AnyNode, reading: Reading): unknown {
  if (isComputed(value)) return sourceOf(node, reading);
  if (operator === "!") return !value;
  if (operator === "+" && isPlain(value)) return Number(value);
  return operator === "-" && typeof value === "number" ? -value : sourceOf(node, reading);
}

function callIn(
  node: Extract<AnyNode, { type: "CallExpression" | "NewExpression" }>,
  next: Next,
  reading: Reading,
  depth: number,
): unknown {
  const given = node.arguments.flatMap((each) => elementOf(each, next));
  const called = calledFunction(node.callee, reading);
  const call = { call: reading.source.slice(node.callee.start, node.callee.end), arguments: given };
  if (called !== undefined) {
    const made = called(given, depth + 1);
    return isComputed(made) ? { ...made, ...call } : made;
  }
  return (
    splitText(node.callee, given, next, reading) ??
    partsOfRecord(call.call, given, reading) ??
    mappedList(node, next, reading, depth) ??
    call
  );
}

/** The function that a call is of: one of the scripts, or one that is written in the call itself. */
function calledFunction(callee: AnyNode, reading: Reading): ScriptFunction | undefined {
  if (callee.type === "Identifier") return reading.functions.get(callee.name);
  const node = asFunction(callee.type === "ParenthesizedExpression" ? callee.expression : callee);
  return node === undefined ? undefined : (given, depth) => returnedBy(node, reading, depth, given);
}

const asFunction = (node: AnyNode | undefined): FunctionNode | undefined =>
  node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression" ? node : undefined;

/** `Object.keys(…)` and its like. */
function partsOfRecord(
  name: string,
  [given]: readonly unknown[],
  { budget }: Reading,
): unknown[] | undefined {
  const parts = PARTS.get(name);
  if (parts === undefined || !isRecord(given) || isComputed(given) || "call" in given) return undefined;
  const made = parts(given);
  budget.steps -= made.length;
  return made;
}

const PARTS: ReadonlyMap<string, (record: Record<string, unknown>) => unknown[]> = new Map([
  ["Object.keys", Object.keys],
  ["Object.values", Object.values],
  ["Object.entries", Object.entries],
]);

/** `"1.2.3".split(".")`. */
function splitText(
  callee: AnyNode,
  [separator]: readonly unknown[],
  next: Next,
  { budget }: Reading,
): string[] | undefined {
  const isSplit =
    callee.type === "MemberExpression" &&
    callee.property.type === "Identifier" &&
    callee.property.name === "split";
  const text = isSplit && typeof separator === "string" ? next(callee.object) : undefined;
  if (typeof text !== "string" || typeof separator !== "string" || budget.steps <= 0) return undefined;
  const parts = text.split(separator);
  budget.steps -= parts.length;
  return parts;
}

/** `list.map((each) => …)`, by which menus are made from lists of names, and `list.filter(Boolean)`. */
function mappedList(
  { callee, arguments: [first] }: Extract<AnyNode, { type: "CallExpression" | "NewExpression" }>,
  next: Next,
  reading: Reading,
  depth: number,
): unknown[] | undefined {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  const { name } = callee.property;
  if (name === "filter" && first?.type === "Identifier" && first.name === "Boolean") {
    const whole = next(callee.object);
    return Array.isArray(whole) ? whole.filter((item) => Boolean(knownIn(item))) : undefined;
  }
  const each = first === undefined ? undefined : calledFunction(first, reading);
  if (each === undefined || (name !== "map" && name !== "flatMap")) return undefined;
  const list = next(callee.object);
  if (!Array.isArray(list)) return undefined;
  const made = list.map((item, index) => each([item, index], depth + 1));
  if (name === "map") return made;
  const flat = made.flat();
  reading.budget.steps -= flat.length;
  return flat;
}
