const TRAILING = /[?!.,:;*_~'"]/;

/** So much of an address in running text belongs to it: not the full stop or the parenthesis behind it. */
export function bareLinkLength(written: string): number {
  let surplus = count(written, ")") - count(written, "(");
  let end = written.length;
  for (; end > 0; end--) {
    const last = written[end - 1] ?? "";
    if (last === ")" && surplus > 0) surplus--;
    else if (!TRAILING.test(last)) break;
  }
  return end;
}

const count = (text: string, character: string) => text.split(character).length - 1;
