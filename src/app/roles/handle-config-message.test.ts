import { expect, test } from "vitest";
import { aRoleCore } from "../../../test/kit/role-core.ts";
import { LOCAL_USER } from "../core.ts";
import { configMessages } from "./handle-config-message.ts";

async function aDashboard() {
  const core = await aRoleCore("roles:\n  - id: research # mine\n    model: a\n");
  const messages = configMessages(core);
  const send = (type: string, data?: unknown) => {
    const handle = messages.get(type);
    if (!handle) throw new Error(`no handler for ${type}`);
    return handle(data, LOCAL_USER);
  };
  return { core, send };
}

test.each(["roleId", "id"])("config:update_role changes the role named by %s", async (key) => {
  const { core, send } = await aDashboard();

  const answer = await send("config:update_role", { [key]: "research", model: "b" });

  expect(core.text()).toBe("roles:\n  - id: research # mine\n    model: b\n");
  expect(answer).toMatchObject({ roleId: "research", saved: true });
});

test.each([
  [undefined, /expected object/],
  [{ model: "b" }, /names no role/],
  [{ roleId: "research", modle: "b" }, /modle/],
  [{ roleId: "research", model: "--force" }, /model/],
  [{ roleId: "research", systemPrompt: 5 }, /systemPrompt/],
])("config:update_role with %j is refused", async (data, message) => {
  const { core, send } = await aDashboard();

  await expect(send("config:update_role", data)).rejects.toMatchObject({
    code: "INVALID_ARGUMENTS",
    message: expect.stringMatching(message),
  });
  expect(core.text()).toContain("model: a");
});

test("config:revalidate_model validates the role's model again", async () => {
  const { core, send } = await aDashboard();

  expect(await send("config:revalidate_model", { roleId: "research" })).toMatchObject({
    roleId: "research",
  });
  expect(core.published.map(({ type }) => type)).toContain("healthcheck:model_validation");
  await expect(send("config:revalidate_model", { roleId: "nobody" })).rejects.toMatchObject({
    code: "ROLE_NOT_FOUND",
  });
});
