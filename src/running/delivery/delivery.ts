import { type Delivery, payloadOf, subjectOf, textOf } from "@docent/answering/handover/handover";
import { readCertificateAuthorities } from "@docent/kernel/lib/certificate-authorities";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { NoticeWay } from "@docent/sites/notices/way";
import { createMailer, type MailOptions } from "./mailer.ts";
import { createChatNotices, createMailNotices, createWebhookNotices } from "./notices.ts";
import { createPost, type PostOptions } from "./post.ts";

/** The settings it reads, under their own names. */
interface WebSettings {
  hand_over_hosts: readonly string[];
  delivery_seconds: number;
  certificate_authorities: string;
}

interface DeliverySettings extends WebSettings {
  mail_server: string;
  mail_from: string;
}

/** The ways on which letters go out. Raises `invalid_request` where a setting names what cannot be read. */
export function openDeliveries(settings: DeliverySettings, seal: Seal): Delivery[] {
  const { web, mail } = optionsOf(settings, seal);
  return [createWebhooks(web), createMail(mail)];
}

/** The ways on which notices go out. Raises `invalid_request` where a setting names what cannot be read. */
export function openNoticeWays(settings: DeliverySettings, seal: Seal): NoticeWay[] {
  const { web, mail } = optionsOf(settings, seal);
  const post = createPost(web);
  return [createWebhookNotices(post), createChatNotices(post), createMailNotices(createMailer(mail))];
}

/** The hosts to which answers to chats go. Raises `invalid_request` where a setting names what cannot be read. */
export function openAnswerHosts(settings: WebSettings, seal: Seal) {
  const post = createPost(webOptions(settings, seal));
  return {
    fault: post.fault,
    async send(
      address: string,
      body: unknown,
      { method, signal }: { method: "POST" | "PATCH"; signal: AbortSignal },
    ): Promise<number> {
      return (await post.send(address, JSON.stringify(body), {}, signal, method)).status;
    },
  };
}

function optionsOf(settings: DeliverySettings, seal: Seal) {
  const { hosts, ...bounds } = webOptions(settings, seal);
  return {
    web: { hosts, ...bounds },
    mail: { server: settings.mail_server, from: settings.mail_from, ...bounds },
  };
}

const webOptions = (settings: WebSettings, seal: Seal) => ({
  hosts: settings.hand_over_hosts,
  seal,
  certificateAuthorities: readCertificateAuthorities(settings),
  timeoutMs: settings.delivery_seconds * SECOND_MS,
});

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

/** Posts letters as JSON, to hosts that the operator has named and to no other. */
export function createWebhooks(options: PostOptions): Delivery {
  const post = createPost(options);
  return {
    takes: post.isAddress,
    fault: post.fault,
    async deliver(letter, destination) {
      const { isTaken, status } = await post.send(destination, JSON.stringify(payloadOf(letter)));
      if (!isTaken) throw new Error(`the webhook replied with status ${status}`);
    },
  };
}
