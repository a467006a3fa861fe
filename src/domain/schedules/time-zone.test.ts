import { expect, test } from "vitest";
import { ownTimeZone, requireTimeZone } from "./time-zone.ts";

test.each([
  ["Asia/Tokyo", "Asia/Tokyo"],
  [" asia/tokyo ", "Asia/Tokyo"],
  ["Europe/Berlin", "Europe/Berlin"],
  ["UTC", "UTC"],
])("requireTimeZone takes %j", (given, zone) => {
  expect(requireTimeZone(given)).toBe(zone);
});

test.each([
  ["Asia/Tokio", /Did you mean Asia\/Tokyo/],
  ["tokyo", /Did you mean Asia\/Tokyo/],
  ["New York", /America\/New_York/],
  ["Berln", /Europe\/Berlin/],
  ["+09:00", /IANA/],
  ["東京", /IANA/],
  ["", /IANA/],
  ["x".repeat(5_000), /IANA/],
])("requireTimeZone refuses %j and suggests a name", (given, hint) => {
  expect(() => requireTimeZone(given)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENTS", hint: expect.stringMatching(hint) }),
  );
});

test("the machine's own time zone is valid", () => {
  expect(requireTimeZone(ownTimeZone())).toBe(ownTimeZone());
});
