import { allAuthorities } from "@docent/kernel/lib/certificate-authorities";
import { offWhileSealed, type Seal } from "@docent/kernel/lib/seal/seal";

export interface MailOptions {
  seal: Seal;
  /** Such as smtps://name:password@mail.example.com. Empty: no mail is sent. */
  server: string;
  /** The sender's address. Empty: the name that is in `server`, if it is an address. */
  from: string;
  /** Certificate authorities that are trusted besides the runtime's own, in PEM. */
  certificateAuthorities: readonly string[];
  timeoutMs: number;
}

interface Mail {
  /** The name beside the sender's address. */
  from: string;
  to: string;
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
}

const ADDRESS = /^(?:mailto:)?([^\s@<>(),;:"]+@[^\s@<>(),;:"?&]+)$/i;

/** Sends mails by the operator's mail server. */
export function createMailer({ seal, server, from, certificateAuthorities, timeoutMs }: MailOptions) {
  const ca = allAuthorities(certificateAuthorities);
  const sender = from || userOf(server);
  return {
    isAddress: (text: string) => ADDRESS.test(text),
    /** What the operator has to set first; undefined where mails can be sent. */
    fault() {
      if (seal.isSealed) return offWhileSealed("is an e-mail address, and mail is");
      if (server === "") return "is an e-mail address, and the server's setting mail_server is empty";
      return sender.includes("@")
        ? undefined
        : "is an e-mail address, and the server's setting mail_from is empty";
    },
    /** Returns what the mail server replied. */
    async send({ from: name, to, ...mail }: Mail): Promise<string> {
      const sealed = seal.refusal("other", server);
      if (sealed !== undefined) throw new Error(sealed);
      // The library is large, and most servers never send a mail.
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
      try {
        const { response } = await transport.sendMail({
          ...mail,
          from: { name, address: sender },
          to: ADDRESS.exec(to)?.[1],
          // Programs that answer by themselves leave it alone.
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return response;
      } finally {
        transport.close();
      }
    },
  };
}

export type Mailer = ReturnType<typeof createMailer>;

const userOf = (server: string) => (URL.canParse(server) ? decodeURIComponent(new URL(server).username) : "");
