import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import { aFreePort } from "../../../test/kit/free-port.ts";
import { aReceiver, isSigned } from "../../../test/kit/webhook-receiver.ts";
import type { AlertMessage } from "../../app/ports/alert-target.ts";
import { isForbidden } from "./forbidden-addresses.ts";
import { postJson } from "./post-json.ts";
import { createWebhookTarget, type CreateWebhookTarget } from "./webhook-target.ts";

const SECRET = `whsec_${Buffer.from("a secret of at least 24 bytes").toString("base64")}`;
const MESSAGE: AlertMessage = {
  id: "msg-1",
  alerts: [
    {
      id: "alr-1",
      kind: "task.failed",
      taskId: "task-1",
      groupId: null,
      agentId: null,
      approvalId: null,
      title: "四半期レポート",
      detail: "締切は <明日> です",
      requester: "aoi",
      recipients: ["aoi"],
      createdAt: NOON,
      path: "/tasks/task-1",
      url: null,
    },
  ],
  locale: "ja",
  at: NOON,
  isTest: false,
};
const NEVER = new AbortController().signal;

type Webhooks = ReturnType<CreateWebhookTarget["webhooks"]>;

function targetFor(webhook: Partial<Webhooks[string]>, over: Partial<CreateWebhookTarget> = {}) {
  const ops = { secretEnv: "OPS_SECRET", allowAddresses: [], ...webhook };
  return createWebhookTarget({
    webhooks: () => ({ ops }),
    variables: { OPS_SECRET: SECRET },
    version: "1.2.3",
    ...over,
  });
}

test("a message is a signed POST with the texts and the ids", async () => {
  const receiver = await aReceiver();
  const sent = await targetFor({ url: receiver.url }).send("ops", MESSAGE, NEVER);

  expect(sent).toEqual({ isSent: true });
  const [first] = receiver.received;
  if (!first) throw new Error("nothing was received");
  expect(isSigned(first, SECRET)).toBe(true);
  expect(isSigned({ ...first, body: `${first.body} ` }, SECRET)).toBe(false);
  expect(first.headers).toMatchObject({
    "webhook-id": "msg-1",
    "webhook-timestamp": String(NOON / 1_000),
    "content-type": "application/json",
    "user-agent": "kuromajutsu/1.2.3",
  });
  expect(first.payload).toMatchObject({
    type: "kuromajutsu.alerts",
    text: "タスクが失敗しました: 四半期レポート\n締切は <明日> です",
    data: {
      test: false,
      alerts: [{ id: "alr-1", kind: "task.failed", recipients: ["aoi"], path: "/tasks/task-1" }],
    },
  });
});

test("the signature is that of the published example of the specification", async () => {
  const { signWebhook, secretBytes } = await import("./sign-webhook.ts");
  const secret = secretBytes("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  if (!secret) throw new Error("the secret is long enough");

  const headers = signWebhook(secret, {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  });

  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test.each([
  [500, {}, "It answered HTTP 500."],
  [404, {}, "It answered HTTP 404."],
  [302, { location: "http://127.0.0.1:1/" }, "It answered with a redirect (HTTP 302)"],
])("HTTP %i is a failed try", async (status, headers, reason) => {
  const receiver = await aReceiver();
  receiver.answer = (response) => response.writeHead(status, headers).end("<h1>secret</h1>");

  const result = await targetFor({ url: receiver.url }).send("ops", MESSAGE, NEVER);

  expect(result).toMatchObject({ isSent: false, reason: expect.stringContaining(reason) });
  expect(result).not.toHaveProperty("isFinal");
  expect(JSON.stringify(result)).not.toContain("<h1>");
  expect(receiver.received).toHaveLength(1);
});

test("HTTP 410 ends the delivery, and Retry-After is passed on", async () => {
  const receiver = await aReceiver();
  const target = targetFor({ url: receiver.url });
  receiver.answer = (response) => response.writeHead(410).end();
  expect(await target.send("ops", MESSAGE, NEVER)).toMatchObject({ isSent: false, isFinal: true });

  receiver.answer = (response) => response.writeHead(429, { "retry-after": "30" }).end();
  expect(await target.send("ops", MESSAGE, NEVER)).toMatchObject({ retryAfterMs: 30_000 });
});

test("a receiver that never answers, and one that is not there, are failed tries", async () => {
  const receiver = await aReceiver();
  receiver.answer = () => undefined;
  const hung = targetFor({ url: receiver.url }, { timeoutMs: 50 });
  const dead = targetFor({ url: `http://127.0.0.1:${await aFreePort()}/` });

  expect(await hung.send("ops", MESSAGE, NEVER)).toMatchObject({
    isSent: false,
    reason: expect.stringContaining("did not answer within 0.05 s"),
  });
  expect(await dead.send("ops", MESSAGE, NEVER)).toMatchObject({
    isSent: false,
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});

test("an answer whose body never ends counts when its headers are there", async () => {
  const receiver = await aReceiver();
  receiver.answer = (response) => void response.writeHead(200).write("x".repeat(100_000));

  const target = targetFor({ url: receiver.url }, { timeoutMs: 200 });

  expect(await target.send("ops", MESSAGE, NEVER)).toEqual({ isSent: true });
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://0xA9FEA9FE/",
  "http://[::ffff:169.254.169.254]/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://100.100.100.200/",
])("%s is refused before anything is sent", async (url) => {
  const result = await targetFor({ url }).send("ops", MESSAGE, NEVER);

  expect(result).toMatchObject({
    isSent: false,
    reason: expect.stringContaining("alerts.webhooks.ops.allowAddresses"),
  });
});

test("link-local and metadata addresses are forbidden, unless they are allowed by name", () => {
  expect(isForbidden("169.254.1.1", [])).toBe(true);
  expect(isForbidden("169.254.1.1", ["169.254.1.1"])).toBe(false);
  expect(isForbidden("169.254.1.2", ["169.254.1.1"])).toBe(true);
  for (const fine of ["127.0.0.1", "10.0.0.1", "::1", "fd12::1", "203.0.113.9"]) {
    expect(isForbidden(fine, [])).toBe(false);
  }
});

test("a name with a forbidden address among its addresses is not connected to", async () => {
  const receiver = await aReceiver();
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "169.254.169.254", family: 4 },
  ];
  const post = (allowAddresses: readonly string[]) =>
    postJson({
      url: new URL(receiver.url.replace("127.0.0.1", "rebound.example")),
      headers: {},
      body: JSON.stringify({ type: "", timestamp: "", text: "", data: { test: true, alerts: [] } }),
      allowAddresses,
      signal: NEVER,
      resolve: (_hostname, _options, callback) => callback(null, addresses),
    });

  await expect(post([])).rejects.toThrow("169.254.169.254 is a link-local or metadata address");
  expect(receiver.received).toEqual([]);
  expect(await post(["169.254.169.254"])).toMatchObject({ status: 204 });
});

test("a name is looked up and connected to", async () => {
  const receiver = await aReceiver();
  const url = receiver.url.replace("127.0.0.1", "localhost");

  expect(await targetFor({ url }).send("ops", MESSAGE, NEVER)).toEqual({ isSent: true });
});

test.each<[string, Partial<Webhooks[string]>, Record<string, string>, string]>([
  ["no secret", { url: "http://127.0.0.1:1/" }, {}, "Set the variable OPS_SECRET"],
  ["a short secret", { url: "http://127.0.0.1:1/" }, { OPS_SECRET: "short" }, "too short"],
  ["no address", { urlEnv: "OPS_URL" }, { OPS_SECRET: SECRET }, "Set the variable OPS_URL"],
  [
    "an address of another kind",
    { urlEnv: "OPS_URL" },
    { OPS_SECRET: SECRET, OPS_URL: "file:///etc/passwd" },
    "Set the variable OPS_URL",
  ],
])("%s is said, and nothing is sent", async (_, webhook, variables, reason) => {
  const result = await targetFor(webhook, { variables }).send("ops", MESSAGE, NEVER);

  expect(result).toMatchObject({ isSent: false, reason: expect.stringContaining(reason) });
  expect(JSON.stringify(result)).not.toContain("whsec_");
});

test("a webhook that was removed from the configuration is given up", async () => {
  expect(await targetFor({}).send("constructor", MESSAGE, NEVER)).toMatchObject({ isFinal: true });
});
