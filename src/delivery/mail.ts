import type { Delivery } from "../handover/handover.ts";
import { subjectOf, textOf } from "../handover/handover.ts";
import { allAuthorities } from "../lib/certificate-authorities.ts";
import { offWhileSealed, type Seal } from "../lib/seal/seal.ts";

interface MailOptions {
  seal: Seal;
  /** Such as smtps://name:password@mail.example.com. Empty: no mail is sent. */
  server: string;
  /** The sender's address. Empty: the name that is in `server`, if it is an address. */
  from: string;
  /** Certificate authorities that are trusted besides the runtime's own, in PEM. */
  certificateAuthorities: readonly string[];
  timeoutMs: number;
}

const ADDRESS = /^(?:mailto:)?([^\s@<>(),;:"]+@[^\s@<>(),;:"?&]+)$/i;

/** Sends letters by the operator's mail server. Whoever gets one answers to the reader. */
export function createMail({ seal, server, from, certificateAuthorities, timeoutMs }: MailOptions): Delivery {
  const ca = allAuthorities(certificateAuthorities);
  const sender = from || userOf(server);
  return {
    takes: (destination) => ADDRESS.test(destination),
    fault() {
      if (seal.isSealed) return offWhileSealed("is an e-mail address, and mail is");
      if (server === "") return "is an e-mail address, and the server's setting mail_server is empty";
      return sender.includes("@")
        ? undefined
        : "is an e-mail address, and the server's setting mail_from is empty";
    },
    async deliver(letter, destination) {
      const sealed = seal.refusal("other", server);
      if (sealed !== undefined) throw new Error(sealed);
      // It is large, and most servers never send a mail.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url: server,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(ca && { tls: { ca } }),
      });
      const { name, email } = letter.reader;
      try {
        await transport.sendMail({
          from: { name: letter.site.name, address: sender },
          to: ADDRESS.exec(destination)?.[1],
          replyTo: { name, address: email },
          subject: subjectOf(letter),
          text: textOf(letter),
          // Programs that answer by themselves leave it alone.
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } finally {
        transport.close();
      }
    },
  };
}

const userOf = (server: string) => (URL.canParse(server) ? decodeURIComponent(new URL(server).username) : "");
