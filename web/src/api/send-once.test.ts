import { expect, onTestFinished, test } from "vitest";
import { sendOnce } from "./send-once.ts";
import { Offline } from "./send.ts";

type Reply = () => Response | Promise<Response>;

/** Answers the requests in order, and records their keys. */
function daemonThat(...replies: readonly Reply[]): readonly (string | null)[] {
  const keys: (string | null)[] = [];
  const real = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = real));
  globalThis.fetch = async (_, init) => {
    const reply = replies[Math.min(keys.length, replies.length - 1)];
    keys.push(new Headers(init?.headers).get("idempotency-key"));
    if (!reply) throw new TypeError("no reply");
    return reply();
  };
  return keys;
}

const lost: Reply = () => Promise.reject(new TypeError("connection reset"));
const fine: Reply = () => Response.json({ ok: true });
const proxys: Reply = () => new Response("<html>Bad Gateway</html>", { status: 502 });
const brokenOff: Reply = () =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.error(new TypeError("terminated")),
    }),
  );

test.each([
  ["an answer that never came", lost],
  ["an answer that broke off", brokenOff],
  ["an error page of a proxy", proxys],
])("sendOnce repeats a request after %s with the same key", async (what, first) => {
  const keys = daemonThat(first, fine);

  const { text } = await sendOnce(`/api/${what}`, "{}");

  expect(text).toBe('{"ok":true}');
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test("sendOnce gives up after many tries, and sends the same text again with the same key", async () => {
  const keys = daemonThat(lost, lost, lost, lost, fine);

  await expect(sendOnce("/api/x", "{}")).rejects.toThrow(Offline);
  await sendOnce("/api/x", "{}");
  await sendOnce("/api/x", "{}");

  expect(new Set(keys.slice(0, 5)).size).toBe(1);
  expect(keys[5]).not.toBe(keys[0]);
});

test("sendOnce takes a refusal as an answer: the next try has a new key", async () => {
  const refused: Reply = () =>
    new Response("{}", { status: 503, headers: { "content-type": "application/problem+json" } });
  const keys = daemonThat(refused, fine);

  expect((await sendOnce("/api/y", undefined)).response.status).toBe(503);
  await sendOnce("/api/y", undefined);

  expect(new Set(keys).size).toBe(2);
});
