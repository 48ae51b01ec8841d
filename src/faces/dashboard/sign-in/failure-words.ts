/** What is said to who comes back from a provider and did not come in. `label` is what its button says. */
const WORDS: Record<string, (label: string) => string> = {
  expired: (label) =>
    `This sign-in was begun in another browser or under another address, is too old, or was used before. Sign in with ${label} again, from here.`,
  refused: (label) => `${label} did not sign you in. If that was not you, ask whoever runs it.`,
  unavailable: (label) =>
    `${label} does not answer at this moment, or not as it should. Who is signed in goes on; try again in a minute. The server’s log says what is wrong.`,
  not_believed: (label) =>
    `What came back from ${label} could not be verified, so that nobody was signed in. The server’s log says why.`,
  no_role: (label) =>
    `You have signed in with ${label}, but none of your groups lets you in here. Ask an owner of this server which group does.`,
};

/** The words for a reason that the address gives; undefined where it gives none that is known. */
export function failureWords(reason: string | null, label = "the provider"): string | undefined {
  return reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason]?.(label) : undefined;
}
