/** What a mail says, whatever the format of its file. */
export interface Mail {
  subject?: string;
  from?: string;
  to?: string[];
  cc?: string[];
  date?: Date;
  /** The pieces of its text, in order. */
  body: MailBody[];
  /** The names of its attachments; pictures of its text are none. */
  attachments: string[];
  /** The mails that are attached to it. */
  attached: Mail[];
  isEncrypted: boolean;
  /** More of what is not read. */
  faults: string[];
}

/** A piece of a mail's text. */
export type MailBody =
  | { kind: "html"; html: string }
  | { kind: "text"; text: string }
  /** Lines that end with a space go on in the next one. */
  | { kind: "flowed"; text: string; deletesSpace: boolean }
  | { kind: "markdown"; markdown: string };

export const newMail = (): Mail => ({
  body: [],
  attachments: [],
  attached: [],
  isEncrypted: false,
  faults: [],
});

/** Mails inside mails are read to this depth. */
export const ATTACHED_DEPTH_MAX = 5;
