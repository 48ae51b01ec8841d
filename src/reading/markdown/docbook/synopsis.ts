import {
  attributeOf,
  childrenNamed,
  type DocbookElement,
  elementsOf,
  isElement,
  lineOf,
  textOf,
} from "./element.ts";

/** A synopsis as code: of a command, of functions, of a class. */
export function writeSynopsis(element: DocbookElement): string {
  const write = WRITERS[element.name];
  return write === undefined ? textOf(element) : write(element);
}

export const writeInlineSynopsis = (element: DocbookElement) =>
  writeSynopsis(element).replace(/\s+/g, " ").trim();

export const isSynopsis = (name: string) => WRITERS[name] !== undefined;

const WRITERS: Readonly<Record<string, (element: DocbookElement) => string>> = {
  cmdsynopsis: writeCommand,
  funcsynopsis: writeFunctions,
  funcprototype: writePrototype,
  methodsynopsis: writeMethod,
  constructorsynopsis: writeMethod,
  destructorsynopsis: writeMethod,
  fieldsynopsis: writeField,
  classsynopsis: writeClass,
  enumsynopsis: writeEnum,
};

function writeCommand(element: DocbookElement): string {
  const parts = elementsOf(element).flatMap((part) => {
    if (part.name === "sbr") return ["\n"];
    if (part.name === "synopfragment") return [`\n${writeCommand(part)}`];
    return [writePart(part)];
  });
  return parts
    .filter((part) => part !== "")
    .join(" ")
    .replace(/ *\n */g, "\n")
    .trim();
}

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  opt: ["[", "]"],
  req: ["{", "}"],
  plain: ["", ""],
};

function writePart(part: DocbookElement): string {
  const { name } = part;
  if (name === "arg" || name === "group") {
    const choice = attributeOf(part, "choice") ?? "opt";
    const [open, close] = SIGNS[choice] ?? ["", ""];
    const inner = name === "group" ? elementsOf(part).map(writePart).join(" | ") : wordsOfArgument(part);
    return `${open}${inner}${close}${attributeOf(part, "rep") === "repeat" ? "..." : ""}`;
  }
  return name === "indexterm" ? "" : lineOf(part);
}

/** An argument holds words and other arguments. */
function wordsOfArgument(part: DocbookElement): string {
  const pieces = part.children.map((node) =>
    typeof node === "string"
      ? node.replace(/\s+/g, " ")
      : isElement(node) && (node.name === "arg" || node.name === "group")
        ? writePart(node)
        : isElement(node) && node.name === "sbr"
          ? "\n"
          : isElement(node)
            ? lineOf(node)
            : textOf(node),
  );
  return pieces
    .join("")
    .replace(/ *\n */g, "\n")
    .trim();
}

function writeFunctions(element: DocbookElement): string {
  return elementsOf(element)
    .filter(({ name }) => name === "funcsynopsisinfo" || name === "funcprototype")
    .map((part) => (part.name === "funcprototype" ? writePrototype(part) : textOf(part).trim()))
    .join("\n\n");
}

function writePrototype(element: DocbookElement): string {
  const head = elementsOf(element).find(({ name }) => name === "funcdef");
  const parameters = childrenNamed(element, "paramdef", "varargs", "void").map((part) => {
    if (part.name === "varargs") return "...";
    return part.name === "void" ? "void" : lineOf(part);
  });
  return `${head === undefined ? "" : lineOf(head)}(${parameters.join(", ")});`;
}

const lineOfAll = (parts: readonly DocbookElement[]) =>
  parts
    .map(lineOf)
    .filter((words) => words !== "")
    .join(" ");

function writeMethod(element: DocbookElement): string {
  const head = lineOfAll(childrenNamed(element, "modifier", "type", "void"));
  const names = lineOfAll(childrenNamed(element, "methodname"));
  const parameters = childrenNamed(element, "methodparam", "group").map(writeParameter);
  return `${[head === "" && childrenNamed(element, "void").length > 0 ? "void" : head, names].filter((each) => each !== "").join(" ")}(${parameters.join(", ")})`;
}

function writeParameter(element: DocbookElement): string {
  const value = childrenNamed(element, "initializer").map(lineOf)[0];
  const words = lineOfAll(elementsOf(element).filter(({ name }) => name !== "initializer"));
  const whole = `${words}${value === undefined ? "" : ` = ${value}`}${attributeOf(element, "rep") === "repeat" ? "..." : ""}`;
  return attributeOf(element, "choice") === "opt" && value === undefined ? `[${whole}]` : whole;
}

function writeField(element: DocbookElement): string {
  const value = childrenNamed(element, "initializer").map(lineOf)[0];
  const words = lineOfAll(elementsOf(element).filter(({ name }) => name !== "initializer"));
  return value === undefined ? `${words};` : `${words} = ${value};`;
}

function writeClass(element: DocbookElement): string {
  const lines: string[] = [];
  const heads: string[] = [];
  for (const part of elementsOf(element)) {
    if (/^oo(?:class|interface|exception)$/.test(part.name)) heads.push(lineOfAll(elementsOf(part)));
    else if (part.name === "classsynopsisinfo") lines.push(`  // ${lineOf(part)}`);
    else if (isSynopsis(part.name))
      lines.push(`  ${writeSynopsis(part)}${part.name === "fieldsynopsis" ? "" : ";"}`);
  }
  const [own = "", ...others] = heads;
  const head = `class ${own}${others.length > 0 ? ` : ${others.join(", ")}` : ""}`.replace(
    /^class (?=.*\b(?:class|interface|enum)\b)/,
    "",
  );
  return `${head} {\n${lines.join("\n")}${lines.length > 0 ? "\n" : ""}}`;
}

function writeEnum(element: DocbookElement): string {
  const name = lineOfAll(childrenNamed(element, "enumname"));
  const items = childrenNamed(element, "enumitem").map(
    (item) => `  case ${lineOfAll(childrenNamed(item, "enumidentifier", "enumvalue"))};`,
  );
  return `enum ${name} {\n${items.join("\n")}\n}`;
}
