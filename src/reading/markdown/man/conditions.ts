/** Registers and strings as a condition asks for them. */
interface Known {
  register(name: string): boolean;
  string(name: string): boolean;
}

/** Reads the condition that a line begins with, as a terminal of our own would: it is no printer. */
export function readCondition(text: string, known: Known): { holds: boolean; rest: string } {
  const trimmed = text.trimStart();
  const isNegated = trimmed.startsWith("!");
  const body = isNegated ? trimmed.slice(1).trimStart() : trimmed;
  const { holds, rest } = readPlain(body, known);
  return { holds: holds !== isNegated, rest: rest.trimStart() };
}

function readPlain(text: string, known: Known): { holds: boolean; rest: string } {
  const first = text.charAt(0);
  const letter = /^([notev])(?![\w(])/.exec(text)?.[1];
  if (letter !== undefined) return { holds: letter === "n" || letter === "o", rest: text.slice(1) };
  const named = /^([dmrcFS])\s{0,9}([^\s\\]{1,100})/.exec(text);
  if (named !== null) {
    const [whole, kind, name = ""] = named;
    const holds = kind === "r" ? known.register(name) : kind === "d" ? known.string(name) : false;
    return { holds, rest: text.slice(whole.length) };
  }
  if (/^[\d(+-]/.test(text)) {
    const length = /^[\d()+\-*/%<>=&:.a-zA-Z?|]{0,200}/.exec(text)?.[0].length ?? 0;
    return { holds: evaluate(text.slice(0, length)) > 0, rest: text.slice(length) };
  }
  // Two strings between marks of any kind.
  const middle = first === "" ? -1 : text.indexOf(first, 1);
  const end = middle < 0 ? -1 : text.indexOf(first, middle + 1);
  if (end < 0) return { holds: false, rest: text };
  return { holds: text.slice(1, middle) === text.slice(middle + 1, end), rest: text.slice(end + 1) };
}

const DEEP_MAX = 20;

/** The value of an expression, from left to right, as roff counts. */
export function evaluate(text: string): number {
  let at = 0;
  const term = (depth: number): number => {
    if (text[at] === "-" || text[at] === "+") return text[at++] === "-" ? -term(depth) : term(depth);
    if (text[at] === "(" && depth < DEEP_MAX) {
      at += 1;
      const value = sum(depth + 1);
      if (text[at] === ")") at += 1;
      return value;
    }
    const number = /^\d{0,15}(?:\.\d{1,9})?[a-zA-Z]?/.exec(text.slice(at, at + 30))?.[0] ?? "";
    at += number.length;
    return Number.parseFloat(number) || 0;
  };
  const sum = (depth: number): number => {
    let value = term(depth);
    for (;;) {
      const operator = /^(?:<=|>=|==|[-+*/%<>=&:])/.exec(text.slice(at, at + 2))?.[0];
      if (operator === undefined) return value;
      at += operator.length;
      value = apply(operator, value, term(depth));
    }
  };
  return sum(0);
}

function apply(operator: string, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? 0 : Math.trunc(a / b);
    case "%":
      return b === 0 ? 0 : a % b;
    case "<":
      return Number(a < b);
    case ">":
      return Number(a > b);
    case "<=":
      return Number(a <= b);
    case ">=":
      return Number(a >= b);
    case "&":
      return Number(a > 0 && b > 0);
    case ":":
      return Number(a > 0 || b > 0);
    default:
      return Number(a === b);
  }
}
