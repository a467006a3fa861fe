import { Hono, type Context } from "hono";
import { expect, test } from "vitest";
import { createSessionCookie } from "./session-cookie.ts";

const cookie = createSessionCookie("test");
const MONTH_MS = 30 * 24 * 60 * 60_000;

/** The Set-Cookie headers of an answer, each as name=value and its attributes in any order. */
async function setBy(work: (context: Context) => void) {
  const app = new Hono().get("/", (context) => {
    work(context);
    return context.json({});
  });
  const { headers } = await app.request("/");
  return headers.getSetCookie().map((header) => {
    const [pair, ...attributes] = header.split("; ");
    return [pair, ...attributes.sort()];
  });
}

test("a session cookie is sent to this host only, not to scripts and not from other sites", async () => {
  expect(await setBy((context) => cookie.set(context, "ben~k", MONTH_MS, false))).toEqual([
    ["kuromajutsu-test=ben~k", "HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict"],
  ]);
});

test("over HTTPS the session cookie has the prefix __Host- and is Secure", async () => {
  const [set] = await setBy((context) => cookie.set(context, "ben~k", MONTH_MS, true));

  expect(set?.[0]).toBe("__Host-kuromajutsu-test=ben~k");
  expect(set).toContain("Secure");
});

test("clearing removes the session cookie of HTTP and of HTTPS", async () => {
  const cleared = await setBy((context) => cookie.clear(context));

  expect(cleared.map(([pair]) => pair)).toEqual(["kuromajutsu-test=", "__Host-kuromajutsu-test="]);
  for (const attributes of cleared) expect(attributes).toContain("Max-Age=0");
});

test("every cookie of our name is read, because another page of the host may have set one too", () => {
  const header = "kuromajutsu-test=junk; other=1; __Host-kuromajutsu-test=a; kuromajutsu-test=b";

  expect(cookie.valuesIn(header)).toEqual(["junk", "a", "b"]);
  expect(cookie.valuesIn("kuromajutsu-test=1;".repeat(9))).toHaveLength(4);
  expect(cookie.valuesIn("kuromajutsu-test=; kuromajutsu-test")).toEqual([]);
  expect(cookie.valuesIn(undefined)).toEqual([]);
});

test("a person's id that contains @ survives, encoded or as earlier versions wrote it", async () => {
  const [set] = await setBy((context) => cookie.set(context, "ben@example.com~k", 1_000, false));

  expect(cookie.valuesIn(set?.[0])).toEqual(["ben@example.com~k"]);
  expect(cookie.valuesIn("kuromajutsu-test=ben@example.com~k")).toEqual(["ben@example.com~k"]);
});
