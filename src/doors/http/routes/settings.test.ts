import { expect, test } from "vitest";
import { anHttpDoor } from "../../../../test/kit/http-door.ts";
import { aCoreWithPeople, tokenOf } from "../../../../test/kit/people.ts";

async function ask(url: string, path: string, token?: string) {
  const response = await fetch(url + path, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const said: unknown = await response.json();
  return { status: response.status, said };
}

test("every signed-in person may read the settings, which contain no token hashes and commands", async () => {
  const core = await aCoreWithPeople({ vera: "viewer" });
  Object.assign(core.settings.workspace, { setup: "npm config set token=hunter2; npm ci" });
  const { url } = await anHttpDoor(core);

  const answer = await ask(url, "/api/settings", tokenOf("vera"));

  expect(answer).toMatchObject({
    status: 200,
    said: {
      locale: core.settings.locale,
      tasks: {
        unplannedTools: core.settings.tasks.unplannedTools,
        approvals: { prompt: { who: "anyone" }, step: { who: "anyone" } },
      },
      workspace: {
        isolation: "auto",
        base: "head",
        hasSetup: true,
        hasCheck: false,
        mergeMode: "squash",
        mergeTarget: null,
        maxTotal_mb: 20_480,
        keepDecided_ms: 3_600_000,
      },
      people: [{ id: "vera", name: "vera", role: "viewer" }],
    },
  });
  expect(JSON.stringify(answer.said)).not.toMatch(/hash|kmj_|hunter2/i);
});

test.each(["/api/settings", "/api/welcome"])("%s needs a known person", async (path) => {
  const { url } = await anHttpDoor(await aCoreWithPeople({ vera: "viewer" }));

  expect(await ask(url, path)).toMatchObject({ status: 401, said: { code: "NOT_SIGNED_IN" } });
  expect(await ask(url, path, tokenOf("vera"))).toMatchObject({ status: 200 });
});

test("GET /api/welcome answers the configuration of an MCP client", async () => {
  const { url } = await anHttpDoor(await aCoreWithPeople({}));

  expect(await ask(url, "/api/welcome")).toEqual({
    status: 200,
    said: { snippet: "{}", url: null },
  });
});
