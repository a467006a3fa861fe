import { expect, test } from "vitest";
import { withoutSecrets } from "./without-secrets.ts";

test.each([
  [`key sk-${"a1".repeat(12)} ok`, "key *** ok"],
  ["ghp_abcdefghijklmnopqrstuvwx1234", "***"],
  ["xoxb-123456789012-abcdef", "***"],
  ["AKIAABCDEFGHIJKLMNOP", "***"],
  ["Authorization: Bearer abcdef.ghijkl-mnop", "Authorization: Bearer ***"],
  ["postgres://app:hunter22@db/app", "postgres://app:***@db/app"],
  ["password: hunter2222", "password: ***"],
  ['"api_key": "abcdefgh"', '"api_key": "***"'],
  ["パスワードは himitsu123 です", "パスワードは *** です"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "***"],
])("withoutSecrets cleans %j", (text, clean) => {
  expect(withoutSecrets(text)).toEqual({ text: clean, removed: [expect.any(String)] });
});

test.each([
  "9月分の残業時間を集計して",
  "Count the tokens of every agent",
  "トークンを数えて、表にして",
  "see https://example.com/a:b/c and mail a@example.com",
])("withoutSecrets leaves %j as it is", (text) => {
  expect(withoutSecrets(text)).toEqual({ text, removed: [] });
});

test("withoutSecrets takes no long time for a hostile text", () => {
  const before = performance.now();

  withoutSecrets(`-----BEGIN PRIVATE KEY-----${"password ".repeat(20_000)}`);
  withoutSecrets("a://b:".repeat(20_000));
  withoutSecrets(`token${" ".repeat(100_000)}`);
  withoutSecrets(`Bearer${" ".repeat(100_000)}`);

  expect(performance.now() - before).toBeLessThan(2_000);
});
