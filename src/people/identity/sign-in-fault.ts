/** Why nobody came in by a provider. The page to sign in at has words for each. */
const SIGN_IN_FAULTS = [
  /** The sign-in was begun in another browser or too long ago, or was used before. */
  "expired",
  /** The provider said no, or whoever signs in did. */
  "refused",
  /** The provider does not answer, or not as one. */
  "unavailable",
  /** What came back is nothing to believe. */
  "not_believed",
] as const;
type SignInFaultKind = (typeof SIGN_IN_FAULTS)[number];

/** Why nobody came in by a provider. The message is for the log, and never holds a token or a code. */
export class SignInFault extends Error {
  readonly kind: SignInFaultKind;

  constructor(kind: SignInFaultKind, message: string) {
    super(message);
    this.name = "SignInFault";
    this.kind = kind;
  }
}

const CAUSES_MAX = 5;
const CHARACTERS_MAX = 300;

/** What went wrong, in the words of the errors alone: what hangs on them may hold tokens. */
export function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let each = error; each instanceof Error && words.length < CAUSES_MAX; each = each.cause)
    words.push(each.message.slice(0, CHARACTERS_MAX).toWellFormed());
  return words.length === 0 ? "an unknown fault" : words.join(": ");
}
