import { request } from "node:http";
import { expect, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aLiveSocket } from "../../../test/kit/live-client.ts";

type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Not `fetch`: it sets Host and Sec-Fetch-* itself. */
function send(url: string, { method = "GET", path = "/api/groups", body, headers = {} }: Sent) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function aDoor() {
  const { url } = await anHttpDoor(await aCore(), {
    allowedHostnames: ["localhost", "127.0.0.1", "[::1]", "kuro.example.com"],
    allowedOrigins: ["https://kuro.example.com", "http://127.0.0.1:5173"],
  });
  return { url, port: new URL(url).port };
}

test("a page of another port, scheme or name of this machine gets neither REST nor the WebSocket", async () => {
  const { url, port } = await aDoor();
  const foreign = [
    "http://127.0.0.1:5174",
    "http://127.0.0.1",
    "http://localhost:5173",
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
    `https://127.0.0.1:${port}`,
    "http://kuro.example.com",
    "https://kuro.example.com:8443",
    "https://kuro.example.com.evil.example",
    "null",
    "",
  ];

  for (const origin of foreign) {
    const headers = { origin };
    const read = await send(url, { headers });
    expect({ origin, status: read.status }).toEqual({ origin, status: 403 });
    expect(read.body).toContain("dashboard.origins");
    await expect(aLiveSocket(url, { headers })).rejects.toThrow("403");
  }
});

test("pages of the daemon itself and of configured origins get REST and the WebSocket", async () => {
  const { url } = await aDoor();
  const own = [
    { origin: url },
    { origin: "https://kuro.example.com" },
    { origin: "http://127.0.0.1:5173" },
    { origin: "http://localhost:8080", host: "localhost:8080" },
    { origin: "https://localhost:8443", host: "localhost:8443", "x-forwarded-proto": "https" },
    { origin: "https://kuro.example.com", host: "kuro.example.com" },
    {},
  ];

  for (const headers of own) {
    expect({ headers, status: (await send(url, { headers })).status }).toEqual({
      headers,
      status: 200,
    });
    expect((await aLiveSocket(url, { headers })).closed()).toBe(false);
  }
});

test("a Host that is not served is refused, and the answer names the setting", async () => {
  const { url } = await aDoor();

  const headers = { host: "team.example.com", "accept-language": "en" };
  const answer = await send(url, { headers });

  expect(answer.status).toBe(403);
  expect(answer.body).toContain("Host team.example.com is not served here.");
  expect(answer.body).toContain("dashboard.hosts");
});

test("requests of a page of another origin are refused even without an Origin header", async () => {
  const { url } = await aDoor();
  const fetched = (site: string, mode: string) =>
    send(url, { headers: { "sec-fetch-site": site, "sec-fetch-mode": mode } });

  expect((await fetched("same-site", "no-cors")).status).toBe(403);
  expect((await fetched("cross-site", "no-cors")).status).toBe(403);
  expect((await fetched("cross-site", "cors")).status).toBe(403);
  expect((await fetched("same-origin", "cors")).status).toBe(200);
  expect((await fetched("none", "navigate")).status).toBe(200);
  expect((await fetched("cross-site", "navigate")).status).toBe(200);
});

test("a change needs a header that a form or script of another site cannot send", async () => {
  const { url } = await aDoor();
  const simple = [
    {},
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "multipart/form-data; boundary=application/json" },
    // A browser adds these automatically once a person has entered them.
    { authorization: "Basic YTpi" },
    { cookie: "x-kuromajutsu=1" },
  ];
  const paths = ["/api/groups/grp-1-a/stop", "/api/health-check", "/api/logout", "/mcp"];

  for (const headers of simple) {
    for (const path of paths) {
      const answer = await send(url, { method: "POST", path, headers });
      expect({ headers, path, status: answer.status }).toEqual({ headers, path, status: 403 });
      expect(answer.body).toContain("x-kuromajutsu: 1");
    }
    const removed = await send(url, { method: "DELETE", path: "/api/groups/grp-1-a", headers });
    expect(removed.status).toBe(403);
  }
});

test("scripts may change things with any header that causes a CORS preflight", async () => {
  const { url } = await aDoor();
  const headers: readonly Record<string, string>[] = [
    { "x-kuromajutsu": "1" },
    { "content-type": "application/json" },
    { "content-type": "Application/JSON; charset=utf-8" },
    { "idempotency-key": "k" },
  ];

  for (const each of headers) {
    const answer = await send(url, {
      method: "POST",
      path: "/api/groups/none/stop",
      headers: each,
    });
    expect({ each, status: answer.status }).toEqual({ each, status: 404 });
  }
  const created = await send(url, {
    method: "POST",
    body: '{"description":"x"}',
    headers: { "content-type": "application/json" },
  });
  expect(created.status).toBe(201);
});
