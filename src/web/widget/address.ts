const PARAMETER = "assistant";
const QUESTION_CHARACTERS_MAX = 2000;

/**
 * What the page's address asks of the widget: `?assistant=` that it opens, `?assistant=<text>` that it asks. It is read
 * once: where the page may change its address, the parameter is taken out, so that a reload does not ask again.
 */
export function takeFromAddress(): { question: string } | undefined {
  const url = new URL(location.href);
  const question = url.searchParams.get(PARAMETER);
  if (question === null) return undefined;
  url.searchParams.delete(PARAMETER);
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // A page without an origin of its own, in a sandbox or out of a file, keeps its address.
  }
  return { question: question.trim().slice(0, QUESTION_CHARACTERS_MAX) };
}
