/** The file that colours code; the bundler puts its name here. */
declare const DOCENT_HIGHLIGHT_FILE: string;

/** Colours the words of a block of code. */
type Paint = (code: HTMLElement, language: string) => void;

/** Fetches what colours code with the first block of it. Where that cannot be had, code stays as it is. */
export function createHighlighter(server: string): Paint {
  let coming: Promise<Paint | undefined> | undefined;
  const load = async (): Promise<Paint | undefined> => {
    try {
      const { paint }: { paint: Paint } = await import(`${server}assets/${DOCENT_HIGHLIGHT_FILE}`);
      return paint;
    } catch {
      return undefined;
    }
  };
  return (code, language) => {
    coming ??= load();
    coming.then((paint) => paint?.(code, language));
  };
}
