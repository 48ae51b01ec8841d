const WHAT_CHANGED =
  /\b(?:new in|what['’]?s new|change ?log|released?|release notes|since (?:when|version|v?\d)|migrat\w+|upgrad\w+|deprecat\w+|added in|removed in|changed)\b/i;

/** Whether it is asked what has changed, or since when. */
export const asksWhatChanged = (question: string) => WHAT_CHANGED.test(question);
