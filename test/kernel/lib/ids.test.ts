import { describe, expect, test } from "bun:test";
import { createIds, systemRandomBytes } from "../../../src/kernel/lib/ids.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";

const filledWith = (byte: number) => (count: number) => new Uint8Array(count).fill(byte);
const CROCKFORD = /^[0-9A-HJKMNP-TV-Z]{26}$/;

describe("ids", () => {
  test("a ULID is 26 characters, the first ten of them the time", () => {
    // The example of the ULID specification.
    const ids = createIds(() => 1469918176385, filledWith(0));
    expect(ids.ulid()).toBe("01ARYZ6S410000000000000000");
    expect(createIds(() => TEST_TIME, systemRandomBytes).ulid()).toMatch(CROCKFORD);
  });

  test("ULIDs sort by the time they were made, whatever their chance says", () => {
    const time = fakeClock(0);
    let byte = 255;
    const ids = createIds(time.clock, (count) => filledWith(byte)(count));
    const made: string[] = [];
    for (const step of [0, 1, 1, 30, 31, 1000, TEST_TIME, 2 ** 47]) {
      time.advance(step);
      byte = byte === 255 && step > 0 ? 0 : 255;
      if (step > 0 || made.length === 0) made.push(ids.ulid());
    }
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
  });

  test("ULIDs of one moment sort in the order in which they were made; the largest is followed by the smallest", () => {
    const ids = createIds(() => TEST_TIME, systemRandomBytes);
    const made = Array.from({ length: 100 }, () => ids.ulid());
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(100);
    const largest = createIds(() => TEST_TIME, filledWith(255));
    expect([largest.ulid(), largest.ulid()].map((id) => id.slice(10))).toEqual([
      "Z".repeat(16),
      "0".repeat(16),
    ]);
  });

  test("a capability is 26 characters that carry 128 bits, all of them chance", () => {
    const least = createIds(() => TEST_TIME, filledWith(0)).capability();
    const most = createIds(() => TEST_TIME, filledWith(255)).capability();
    expect(least).toBe("0".repeat(26));
    expect(most).toBe(`7${"Z".repeat(25)}`);
    const ids = createIds(() => TEST_TIME, systemRandomBytes);
    const made = Array.from({ length: 500 }, () => ids.capability());
    expect(made.filter((id) => !CROCKFORD.test(id))).toEqual([]);
    expect(new Set(made).size).toBe(500);
    // Every place varies: none of them is the time.
    for (let place = 1; place < 26; place++) {
      expect(new Set(made.map((id) => id.charAt(place))).size).toBeGreaterThan(20);
    }
  });

  test("every random bit changes a capability", () => {
    const withBit = (bit: number) => (count: number) => {
      const bytes = new Uint8Array(count);
      bytes[bit >> 3] = 1 << (bit & 7);
      return bytes;
    };
    const made = Array.from({ length: 128 }, (_, bit) => createIds(() => 0, withBit(bit)).capability());
    expect(new Set(made).size).toBe(128);
  });

  test("a key is its prefix and 33 characters that nobody mixes up", () => {
    for (const bytes of [filledWith(0), filledWith(255), systemRandomBytes]) {
      expect(createIds(() => TEST_TIME, bytes).key("docent_dsc_")).toMatch(
        /^docent_dsc_[1-9A-HJ-NP-Za-km-z]{33}$/,
      );
    }
  });

  test("the largest key loses no bit", () => {
    const of = (last: number) =>
      createIds(
        () => 0,
        (count) => filledWith(255)(count).with(count - 1, last),
      ).key("");
    expect(new Set([255, 254, 253].map(of)).size).toBe(3);
  });
});
