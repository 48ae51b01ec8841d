import { SMTPServer } from "smtp-server";

/** A mail that came in, as it was written. */
export interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  close(): Promise<void>;
}

interface MailServerOptions {
  password: string;
  /** Refuses every mail. */
  isFull?: boolean;
  /** Called with each mail before whoever sent it hears that it was taken. */
  onReceived?: (mail: ReceivedMail) => Promise<void>;
  /** A key and its certificate for localhost (PEM): it speaks TLS from the first byte. */
  tls?: { key: string; cert: string };
}

/** A real mail server on this machine, which keeps what comes. */
export async function startMailServer({
  password,
  isFull = false,
  onReceived = async () => {},
  tls,
}: MailServerOptions): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: tls ? [] : ["STARTTLS"],
    ...(tls && { secure: true, ...tls }),
    onAuth(auth, _session, done) {
      if (auth.password === password) done(null, { user: auth.username });
      else done(new Error("wrong password"));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (isFull) {
          done(Object.assign(new Error("mailbox full"), { responseCode: 552 }));
          return;
        }
        const mail = {
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString("utf8"),
        };
        received.push(mail);
        onReceived(mail).then(() => done(), done);
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `${tls ? "smtps" : "smtp"}://docs%40acme.example:${encodeURIComponent(password)}@${tls ? "localhost" : "127.0.0.1"}:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
