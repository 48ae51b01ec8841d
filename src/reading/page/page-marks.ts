/** Which version and language of the docs a page is. */
export interface PageMarks {
  /** Empty where the page belongs to every version. */
  version: string;
  /** Empty where the page belongs to every language. */
  language: string;
  /**
   * The paths of its translations by their languages, where the page is in the main language of its docs: those who read
   * a language that it is not translated into are shown the page itself. Undefined: it is for its own language alone.
   */
  translations?: Readonly<Record<string, string>> | undefined;
}
