import { describe, expect, test } from "bun:test";
import type { Delivery, Letter } from "../../src/answering/handover/handover.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";

/** The other side, as it behaves in a test. */
export type OtherSide = "takes" | "refuses" | "gone" | "silent";

/** A delivery, where it goes, and what came in there as text. */
export interface OpenedDelivery {
  delivery: Delivery;
  destination: string;
  received: () => string[];
  close(): Promise<void>;
}

export interface DeliveryOptions {
  otherSide: OtherSide;
  /** Whether the operator has allowed the destination. */
  isAllowed: boolean;
}

export const LETTER: Letter = {
  site: { domain: "acme", name: "Acme" },
  reader: { name: "Zoë Ångström", email: "zoe@reader.example" },
  message: "Please help.\n.\nA dot alone ends nothing.",
  turns: [
    { question: "How do I install it?", answer: "Run `acme install` [1].", askedAt: TEST_TIME },
    { question: "And on a Mac?\r\nBcc: everyone@acme.example", answer: "", askedAt: TEST_TIME + 1000 },
  ],
  conversationUrl: "https://docent.acme.example/dashboard/default/acme/conversations/1",
  sentAt: TEST_TIME + 2000,
};

/** What holds for every way on which letters go out. */
export function deliveryContract(open: (options: DeliveryOptions) => Promise<OpenedDelivery>): void {
  const opened = async (otherSide: OtherSide, isAllowed = true) => open({ otherSide, isAllowed });

  describe("a delivery", () => {
    test("brings the reader, what they say, and every question with its answer", async () => {
      const { delivery, destination, received, close } = await opened("takes");
      expect(delivery.takes(destination)).toBe(true);
      expect(delivery.fault(destination)).toBeUndefined();
      await delivery.deliver(LETTER, destination);
      await close();
      const [letter = "", ...more] = received();
      expect(more).toEqual([]);
      for (const text of ["zoe@reader.example", "Please help.", "A dot alone ends nothing."])
        expect(letter).toContain(text);
      for (const { question } of LETTER.turns) expect(letter).toContain(question.split("\r\n")[0] ?? "");
      expect(letter).toContain("Run `acme install` [1].");
      expect(letter).toContain("docent.acme.example/dashboard/default/acme/conversations/1");
    });

    test("goes nowhere that the operator has not allowed, and says which setting allows it", async () => {
      const { delivery, destination, received, close } = await opened("takes", false);
      expect(delivery.fault(destination)).toMatch(/hand_over_hosts|mail_server/);
      await expect(delivery.deliver(LETTER, destination)).rejects.toBeInstanceOf(Error);
      await close();
      expect(received()).toEqual([]);
    });

    test.each(["refuses", "gone", "silent"] as const)("fails where the other side is: %s", async (side) => {
      const { delivery, destination, close } = await opened(side);
      await expect(delivery.deliver(LETTER, destination)).rejects.toBeInstanceOf(Error);
      await close();
    });

    test("leaves alone what is no destination of its kind", async () => {
      const { delivery, close } = await opened("takes");
      for (const other of ["", "nowhere", "ftp://acme.example/x", "javascript:alert(1)"])
        expect(delivery.takes(other)).toBe(false);
      await close();
    });
  });
}
