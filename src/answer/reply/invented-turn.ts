const MARKS = ["", "# ", "## ", "### ", "#### ", "**"];
const ASKERS = ["User", "USER", "Human", "HUMAN", "Instruction"];
const COLONS = [":**", "**:", ":"];
const ASKING = MARKS.flatMap((mark) => ASKERS.flatMap((name) => COLONS.map((colon) => mark + name + colon)));
const REPLY = /\n[ \t]*(?:#{1,4} |\*\*)?(?:Assistant|ASSISTANT|AI|Bot|Response|Model)(?::|\*\*:)/;
/** A turn that is longer than this before it is replied to is a part of the answer. */
const TURN_CHARACTERS_MAX = 600;

/**
 * Whether a line begins a turn that a model invents behind its answer: "User: And TLS?". "undecided" until the reply to it
 * begins, which tells it from an answer about a user.
 */
export function inventsTurn(text: string, isWhole: boolean): boolean | "undecided" {
  const asking = ASKING.find((each) => text.startsWith(each));
  if (asking === undefined) return !isWhole && ASKING.some((each) => each.startsWith(text)) && "undecided";
  const turn = text.slice(0, TURN_CHARACTERS_MAX);
  if (REPLY.test(turn)) return true;
  if (!isWhole) return text.length < TURN_CHARACTERS_MAX && "undecided";
  const said = text.slice(asking.length).trim();
  const isQuestion = said === "" || (/[?？]$/.test(said) && !said.includes("\n"));
  return isQuestion || asking.startsWith("#");
}
