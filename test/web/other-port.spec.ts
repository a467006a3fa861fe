import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";
import { expect, test } from "./kit.ts";
import { PEOPLE, signIn } from "./kit/people.ts";

const port = z.object({ port: z.number() });

/** A server on another port of the same host name, like an agent's development server. */
async function aDevServer() {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.setHeader("content-type", "text/html").end("<title>dev</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port.parse(server.address()).port}`,
    requests,
    close: () => server.close(),
  };
}

test("a page on another port of this machine can neither read nor change anything", async ({
  page,
  stage,
  calm,
}) => {
  calm.expect(/WebSocket|CORS|status of 40[134]|ERR_FAILED|ERR_BLOCKED/);
  const { daemon, rest } = await stage();
  const groupId = await rest.group("よそから止められない");
  const [agentId = ""] = await rest.run(groupId, ["待つ\n#rehearsal sleep 600000"]);
  await rest.reachAgent(agentId, "running");
  const dev = await aDevServer();

  await page.goto(dev.url);
  const tried = await page.evaluate(
    async ({ url, id }) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
      const live = await new Promise<string>((resolve) => {
        socket.addEventListener("open", () => resolve("open"));
        socket.addEventListener("error", () => resolve("refused"));
      });
      const post = (init: RequestInit) =>
        fetch(`${url}/api/agents/${id}/cancel`, { method: "POST", ...init }).then(
          ({ status, type }) => `${status} ${type}`,
          () => "failed",
        );
      return {
        live,
        simple: await post({}),
        opaque: await post({ mode: "no-cors" }),
        preflighted: await post({ headers: { "x-kuromajutsu": "1" } }),
        read: await fetch(`${url}/api/groups`).then(
          () => "read",
          () => "failed",
        ),
      };
    },
    { url: daemon.url, id: agentId },
  );

  expect(tried).toEqual({
    live: "refused",
    simple: "failed",
    opaque: "failed",
    preflighted: "failed",
    read: "failed",
  });
  expect((await rest.agent(agentId)).status).toBe("running");
  dev.close();
});

test("the cookie reaches a server on another port, which cannot use it", async ({
  page,
  context,
  stage,
  calm,
}) => {
  calm.expect(/status of 401|WebSocket/);
  const { daemon } = await stage({ config: { auth: { users: PEOPLE } } });
  await signIn(context, daemon.url, "alice");
  const dev = await aDevServer();

  await page.goto(dev.url);

  const stolen = dev.requests.flatMap(({ headers }) => headers.cookie ?? []);
  expect(stolen.join()).toContain("kuromajutsu-");
  for (const cookie of stolen) {
    const answer = await fetch(`${daemon.url}/api/approvals`, { headers: { cookie } });
    expect(answer.status).toBe(401);
  }
  dev.close();
});
