import type { Delivery } from "@docent/answering/handover/handover";
import { subjectOf, textOf } from "@docent/answering/handover/handover";
import { createMailer, type MailOptions } from "./mailer.ts";

/** Sends letters by the operator's mail server. Whoever gets one answers to the reader. */
export function createMail(options: MailOptions): Delivery {
  const mailer = createMailer(options);
  return {
    takes: mailer.isAddress,
    fault: mailer.fault,
    async deliver(letter, destination) {
      const { name, email } = letter.reader;
      await mailer.send({
        from: letter.site.name,
        to: destination,
        replyTo: { name, address: email },
        subject: subjectOf(letter),
        text: textOf(letter),
      });
    },
  };
}
