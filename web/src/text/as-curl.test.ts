import { expect, test } from "vitest";
import { asCurl, asMcpCall } from "./as-curl.ts";

const call = { method: "POST", url: "http://127.0.0.1:9696/api/tasks", signIn: false } as const;

test("asCurl has the header of the daemon, and no token where sign-in is off", () => {
  const command = asCurl({ ...call, body: { text: "x" } });

  expect(command).toContain("-H 'x-kuromajutsu: 1'");
  expect(command).not.toContain("authorization");
});

test("asCurl names the token as a variable of the shell", () => {
  expect(asCurl({ ...call, signIn: true, body: {} })).toContain(
    `-H "authorization: Bearer $KUROMAJUTSU_TOKEN"`,
  );
});

test("asCurl sends no body to a route without one", () => {
  expect(asCurl(call)).not.toMatch(/content-type|-d /);
});

test("asCurl quotes a body with quotes for a shell", () => {
  expect(asCurl({ ...call, body: { text: "it's" } })).toContain(`-d '{"text":"it'\\''s"}'`);
});

test("asMcpCall is a tools/call request", () => {
  expect(JSON.parse(asMcpCall("create_task", { request: "x" }))).toMatchObject({
    method: "tools/call",
    params: { name: "create_task", arguments: { request: "x" } },
  });
});
