/** Watches over something that should say something now and then. */
export interface SilenceWatch {
  /** Something was said. */
  heard(): void;
  end(): void;
}

/** Calls `onSilence` when nothing was heard for so long. */
export function watchSilence(milliseconds: number, onSilence: () => void): SilenceWatch {
  let timer = setTimeout(onSilence, milliseconds);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, milliseconds);
    },
    end: () => clearTimeout(timer),
  };
}
