import { expect, onTestFinished, test } from "vitest";
import { ApiProblem, get, patch, post } from "./http.ts";

type Sent = { readonly path: string; readonly method: string | undefined; readonly body: unknown };

/** Answers every request with `reply` and keeps what was sent. */
function daemonThat(reply: () => Response): readonly Sent[] {
  const sent: Sent[] = [];
  const real = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = real));
  globalThis.fetch = async (input, init) => {
    sent.push({
      path: typeof input === "string" ? input : "?",
      method: init?.method,
      body: init?.body,
    });
    return reply();
  };
  return sent;
}

test("the client fills in path and query, and sends the body as JSON", async () => {
  const sent = daemonThat(() => Response.json({ signedOut: true, notifications: [] }));

  await get("/api/notifications", { query: { agentId: "a b", limit: 5 } });
  await post("/api/logout");

  expect(sent).toEqual([
    { path: "/api/notifications?agentId=a+b&limit=5", method: "GET", body: undefined },
    { path: "/api/logout", method: "POST", body: undefined },
  ]);
});

test("the client reports a refusal with its code and hint", async () => {
  daemonThat(() =>
    Response.json({ code: "TASK_NOT_FOUND", detail: "No task.", hint: "Look." }, { status: 404 }),
  );

  const asked = get("/api/tasks/{id}", { params: { id: "task-1" } });

  await expect(asked).rejects.toEqual(new ApiProblem(404, "TASK_NOT_FOUND", "No task.", "Look."));
});

test("a development build rejects an answer that breaks the contract of its route", async () => {
  daemonThat(() => Response.json({ notifications: [{ notificationId: 1 }] }));

  await expect(get("/api/notifications")).rejects.toThrow(
    /get \/api\/notifications breaks its contract[^]*notificationId/,
  );
});

test("the client refuses at compile time what no route takes", () => {
  const wrong = [
    // @ts-expect-error There is no such path.
    () => get("/api/taks"),
    // @ts-expect-error The id is missing.
    () => get("/api/tasks/{id}"),
    // @ts-expect-error There is no such query parameter.
    () => get("/api/tasks", { query: { nope: 1 } }),
    // @ts-expect-error There is no such field in the body.
    () => post("/api/tasks", { body: { txt: "" } }),
    // @ts-expect-error The route has no body.
    () => post("/api/groups/{id}/stop", { params: { id: "x" }, body: {} }),
    // @ts-expect-error A person cannot set this status.
    () => patch("/api/tasks/{id}", { params: { id: "x" }, body: { status: "failed" } }),
    // @ts-expect-error The answer has no such member.
    () => get("/api/me").then((me) => me.nope),
  ];

  expect(wrong).toHaveLength(7);
});
