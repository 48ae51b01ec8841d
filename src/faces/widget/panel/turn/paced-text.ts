/** Of what has not been shown, this share is shown with each frame: never far behind, and never in jumps. */
const SHARE = 1 / 7;

/** Shows a text that comes in pieces at an even pace. */
export interface PacedText {
  /** The whole text so far. */
  text(soFar: string): void;
  /** No more will come: what is left is shown at once. */
  finish(): void;
}

/** `show` is given what is to be seen: with each frame a little more, or at once where nothing should move. */
export function createPacedText(show: (text: string) => void, isCalm: () => boolean): PacedText {
  let whole = "";
  let shown = 0;
  let frame: number | undefined;

  const step = () => {
    frame = undefined;
    shown = Math.min(whole.length, shown + Math.ceil((whole.length - shown) * SHARE));
    // Half of a pair of surrogates is no character.
    if (/[\uD800-\uDBFF]/.test(whole.charAt(shown - 1))) shown++;
    show(whole.slice(0, shown));
    if (shown < whole.length) frame = requestAnimationFrame(step);
  };
  const showAll = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    if (shown < whole.length) show(whole);
    shown = whole.length;
  };
  return {
    text(soFar) {
      whole = soFar;
      // A page that nobody sees draws no frames.
      if (isCalm() || document.hidden) showAll();
      else frame ??= requestAnimationFrame(step);
    },
    finish: showAll,
  };
}
