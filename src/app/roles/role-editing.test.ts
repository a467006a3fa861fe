import { chmodSync, existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aRoleCore, type RoleCore } from "../../../test/kit/role-core.ts";
import { createConfigFile } from "../../adapters/config/edit-config.ts";
import { INTERNAL_ROLES } from "../../domain/roles/internal-role.ts";
import { LOCAL_USER } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { createRole } from "./create-role.ts";
import { deleteRole } from "./delete-role.ts";
import { duplicateRole } from "./duplicate-role.ts";
import { listRoles } from "./list-roles.ts";
import { updateRole } from "./update-role.ts";

const example = readFileSync(
  new URL("../../../kuromajutsu.config.example.yaml", import.meta.url),
  "utf8",
);
const aDraft = {
  name: "リリースノート係",
  description: "草稿を作る",
  model: "claude-4-sonnet",
  systemPrompt: "あなたは\nリリースノートの専門家です。\n",
};

const configEvents = (core: RoleCore) =>
  core.published.filter(({ type }) => type === "config:updated").map(({ data }) => data);

test("an edited role is written to the file and put to use before the event is emitted", async () => {
  const core = await aRoleCore(example);

  const { saved, edited } = await updateRole(core, { id: "research", fields: { model: "gpt-5" } });

  expect(saved).toBe(true);
  expect(core.text()).toBe(example.replace("composer-1.5", "gpt-5"));
  expect(core.roles.get("research")).toMatchObject({ model: "gpt-5", modelFrom: "user" });
  expect(configEvents(core)).toEqual([
    { change: "updated", roleId: "research", fields: ["model"], hash: edited.hash },
  ]);
  const stored = await core.store.listEvents(0, 10);
  expect(stored.map(({ type }) => type)).toContain("config:updated");
});

test("a changed model is validated again, and the result is emitted", async () => {
  const core = await aRoleCore(example);

  await updateRole(core, { id: "research", fields: { model: "gpt-5" } });
  await expect
    .poll(() => core.published.map(({ type }) => type))
    .toContain("healthcheck:model_validation");

  expect(core.published[0]?.type).toBe("config:updated");
});

test("a built-in role the file does not name gets an entry with the changed field only", async () => {
  const core = await aRoleCore("");

  await updateRole(core, {
    id: "text-review",
    fields: { name: "文章レビュワー", tools: ["textlint"], access: "read-only" },
  });

  expect(core.text()).toBe("roles:\n  - id: text-review\n    tools:\n      - textlint\n");
});

test("the isolation of a role is written, copied with the role, and removed by null", async () => {
  const core = await aRoleCore("");

  await updateRole(core, { id: "impl-code", fields: { isolation: "worktree" } });
  expect(core.text()).toBe("roles:\n  - id: impl-code\n    isolation: worktree\n");
  await duplicateRole(core, { id: "impl-code", newId: "copy", name: null });
  expect(core.roles.get("copy")?.isolation).toBe("worktree");

  await updateRole(core, { id: "copy", fields: { isolation: null } });
  expect(core.roles.get("copy")?.isolation).toBe("auto");
});

test("the labels of a role and its rule for lost hosts are written and copied with the role", async () => {
  const core = await aRoleCore("");

  await updateRole(core, { id: "impl-code", fields: { labels: ["gpu"], onLost: "requeue" } });
  await duplicateRole(core, { id: "impl-code", newId: "copy", name: null });

  expect(core.roles.get("copy")).toMatchObject({ labels: ["gpu"], onLost: "requeue" });
});

test("saving a role without a change writes nothing and emits nothing", async () => {
  const core = await aRoleCore(example);
  const { name, model, systemPrompt } = core.roles.get("research") ?? {};
  if (!name || !model || !systemPrompt) throw new Error("no role");

  const fields = { name, model, systemPrompt: systemPrompt.replaceAll("\n", "\r\n") };
  const { saved } = await updateRole(core, { id: "research", fields });

  expect(saved).toBe(false);
  expect(core.text()).toBe(example);
  expect(core.published).toEqual([]);
});

test("null removes a role's field from the file and restores the built-in value", async () => {
  const core = await aRoleCore("roles:\n  - id: research\n    model: mine\n    name: x\n");

  await updateRole(core, { id: "research", fields: { model: null } });

  expect(core.text()).toBe("roles:\n  - id: research\n    name: x\n");
  expect(core.roles.get("research")).toMatchObject({ model: "composer-1.5" });
});

test("concurrent edits of roles are applied one after the other, and none is lost", async () => {
  const core = await aRoleCore(example);
  const ids = ["impl-code", "code-review", "text-review", "research", "impl-test"];

  await Promise.all(
    ids.flatMap((id) => [
      updateRole(core, { id, fields: { model: `model-of-${id}` } }),
      updateRole(core, { id, fields: { name: `name of ${id}` } }),
    ]),
  );

  for (const id of ids) {
    expect(core.roles.get(id)).toMatchObject({ model: `model-of-${id}`, name: `name of ${id}` });
  }
  expect(configEvents(core)).toHaveLength(10);
});

test("an edit with an outdated hash is refused, and a failed edit does not stop the next", async () => {
  const core = await aRoleCore(example);
  const seen = core.editing?.loadedHash() ?? "";
  await updateRole(core, { id: "research", fields: { name: "a" }, expectedHash: seen });

  await expect(
    updateRole(core, { id: "research", fields: { name: "b" }, expectedHash: seen }),
  ).rejects.toMatchObject({ code: "CONFIG_CHANGED" });
  await updateRole(core, { id: "research", fields: { name: "c" } });

  expect(core.roles.get("research")?.name).toBe("c");
});

test("an edit is refused if the file was edited by hand, and succeeds after the reload", async () => {
  const core = await aRoleCore(example);
  core.write(example.replace("調査員", "手で直した調査員"));

  const edit = { id: "impl-code", fields: { model: "x" } };
  await expect(updateRole(core, edit)).rejects.toMatchObject({ code: "CONFIG_CHANGED" });
  expect(core.roles.get("research")?.name).toBe("手で直した調査員");
  expect(configEvents(core)).toMatchObject([{ change: "reloaded" }]);

  await updateRole(core, edit);
  expect(core.text()).toContain("手で直した調査員");
});

test("an invalid configuration file is neither put to use nor overwritten", async () => {
  const core = await aRoleCore(example);
  const broken = `${example}\nagnet: {}\n`;
  core.write(broken);

  const edit = { id: "research", fields: { model: "x" } };
  await expect(updateRole(core, edit)).rejects.toMatchObject({ code: "CONFIG_CHANGED" });

  expect(core.text()).toBe(broken);
  expect(core.roles.get("research")?.model).toBe("composer-1.5");
  expect(core.published).toEqual([]);
});

test("a failed write of the configuration file is refused, and no role changes", async () => {
  const core = await aRoleCore();
  const editing = core.editing;
  if (!editing) throw new Error("no editing");
  // Root may write everywhere, but not below a file.
  core.write("");
  const configFile = createConfigFile({ path: `${core.path}/kuromajutsu.config.yaml` });

  await expect(
    updateRole(
      { ...core, editing: { ...editing, configFile } },
      { id: "research", fields: { model: "x" } },
    ),
  ).rejects.toMatchObject({ code: "CONFIG_NOT_WRITABLE" });

  expect(core.roles.get("research")?.model).toBe("composer-1.5");
  expect(core.published).toEqual([]);
});

test("an edit of a role succeeds even if its event cannot be stored", async () => {
  const core = await aRoleCore(example);
  const full = {
    ...core,
    store: { ...core.store, transaction: () => Promise.reject(new Error("disk full")) },
  };

  const { saved } = await updateRole(full, { id: "research", fields: { name: "x" } });

  expect(saved).toBe(true);
  expect(core.roles.get("research")?.name).toBe("x");
  expect(configEvents(core)).toMatchObject([{ change: "updated", roleId: "research" }]);
});

test("a dry run of a role edit shows the text before and after, and writes nothing", async () => {
  const core = await aRoleCore(example);

  const { saved, edited } = await createRole(core, { id: "notes", fields: aDraft, dryRun: true });

  expect(saved).toBe(false);
  expect(edited.before).toBe(example);
  expect(edited.after).toContain("  - id: notes\n    name: リリースノート係\n");
  expect(core.text()).toBe(example);
  expect(core.roles.has("notes")).toBe(false);
  expect(core.published).toEqual([]);
});

test("a new role can be used at once, and the file is created if there was none", async () => {
  const core = await aRoleCore();
  expect(existsSync(core.path)).toBe(false);

  const { edited } = await createRole(core, { id: "notes", fields: aDraft });

  expect(edited.created).toBe(true);
  expect(core.roles.get("notes")).toMatchObject({ ...aDraft, access: "read-write", tools: [] });
  expect(core.text()).toBe(
    "roles:\n  - id: notes\n    name: リリースノート係\n    description: 草稿を作る\n    model: claude-4-sonnet\n    systemPrompt: |\n      あなたは\n      リリースノートの専門家です。\n",
  );
});

test("creating a role with a taken or invalid id is refused", async () => {
  const core = await aRoleCore(example);

  await expect(createRole(core, { id: "research", fields: aDraft })).rejects.toMatchObject({
    code: "ROLE_EXISTS",
  });
  for (const id of ["../x", "A", "", "grp", "a b", "x\n- id: y", "__proto__", "a".repeat(41)]) {
    await expect(createRole(core, { id, fields: aDraft })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  }
  expect(core.text()).toBe(example);
});

test("a role that works on tasks can be neither created nor used by a client", async () => {
  const core = await aRoleCore(example);

  for (const id of INTERNAL_ROLES) {
    await expect(createRole(core, { id, fields: aDraft })).rejects.toMatchObject({
      code: "ROLE_EXISTS",
      hint: expect.stringContaining("kuromajutsu.config.yaml"),
    });
    expect((await listRoles(core)).map(({ role }) => role.id)).not.toContain(id);
  }
  expect(core.text()).toBe(example);
});

test("constructor is a valid role id", async () => {
  const core = await aRoleCore(example);

  await createRole(core, { id: "constructor", fields: aDraft });
  await deleteRole(core, { id: "constructor" });

  expect(core.text()).toBe(example);
});

test("a copied role equals the original, and its entry has only the necessary lines", async () => {
  const core = await aRoleCore("");

  await duplicateRole(core, { id: "research", newId: "market", name: null });

  const { id: _id, ...original } = core.roles.get("research") ?? { id: "" };
  expect(core.roles.get("market")).toEqual({
    ...original,
    id: "market",
    name: "調査員 (copy)",
    // With a runner other than Cursor, the copy also uses that runner's default model.
    model: { cursor: "composer-1.5" },
    modelFrom: "user",
  });
  expect(core.text()).not.toContain("healthCheckPrompt");
});

test("deleting a built-in role disables it; creating it restores it", async () => {
  const core = await aRoleCore(example);

  await deleteRole(core, { id: "research" });
  expect(core.roles.has("research")).toBe(false);
  expect(core.text()).toContain("    tools: []\n    disabled: true\n\n  - id: impl-test");

  await createRole(core, { id: "research", fields: {} });
  expect(core.text()).toBe(example);
  expect(core.roles.get("research")?.model).toBe("composer-1.5");
});

test("deleting a role of the file removes its entry", async () => {
  const core = await aRoleCore(example);
  await createRole(core, { id: "notes", fields: aDraft });

  await deleteRole(core, { id: "notes" });

  expect(core.text()).toBe(example);
  expect(configEvents(core)).toMatchObject([
    { change: "created", roleId: "notes" },
    { change: "deleted", roleId: "notes" },
  ]);
});

test("deleting a role with queued or running agents is refused", async () => {
  const core = await aRoleCore(example);
  const group = await createGroup(core, LOCAL_USER, {
    description: "work",
    mode: "concurrent",
    parentGroupId: null,
  });
  await runAgents(core, LOCAL_USER, {
    groupId: group.id,
    agents: [{ role: "research", prompt: "x", workingDirectory: null, timeoutMs: null }],
  });

  await expect(deleteRole(core, { id: "research" })).rejects.toMatchObject({
    code: "ROLE_IN_USE",
    message: '1 agent of the role "research" is queued or running.',
  });
  await deleteRole(core, { id: "impl-test" });
  expect(core.roles.has("impl-test")).toBe(false);
});

test("editing an unknown role is refused", async () => {
  const core = await aRoleCore(example);

  for (const id of ["nobody", "toString", "../../etc/passwd"]) {
    await expect(updateRole(core, { id, fields: { name: "x" } })).rejects.toMatchObject({
      code: "ROLE_NOT_FOUND",
    });
    await expect(deleteRole(core, { id })).rejects.toMatchObject({ code: "ROLE_NOT_FOUND" });
  }
});

test("the configuration file keeps its mode through many edits", async () => {
  const core = await aRoleCore(example);
  chmodSync(core.path, 0o600);

  for (let count = 0; count < 20; count++) {
    await updateRole(core, { id: "research", fields: { name: `n${count}` } });
  }

  expect(core.text()).toBe(example.replace("調査員", "n19"));
});
