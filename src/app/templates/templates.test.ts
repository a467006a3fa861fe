import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aProcessDraft, aPromptDraft, aTask, aGroup } from "../../../test/kit/builders.ts";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import { aRoleCore } from "../../../test/kit/role-core.ts";
import type { Task } from "../../domain/tasks/task.ts";
import { type Core, LOCAL_USER, type PersonIdentity } from "../core.ts";
import { listTemplates } from "./list-templates.ts";
import { removeTemplate } from "./remove-template.ts";
import { saveTemplate } from "./save-template.ts";
import { useTemplate, type UseTemplate } from "./use-template.ts";

const ROLES = ["impl-code", "code-review", "impl-test", "text-review", "research"];

const theCore = (): Promise<TestCore> => aCore({ roles: ROLES.map((id) => aRole({ id })) });

function using(over: Partial<UseTemplate> & Pick<UseTemplate, "id">): UseTemplate {
  return {
    values: {},
    locale: "en",
    door: "terminal",
    hasReadUntrusted: false,
    dryRun: false,
    ...over,
  };
}

function own(core: Core, id: string, text: string): void {
  mkdirSync(core.templates.folder, { recursive: true });
  writeFileSync(join(core.templates.folder, `${id}.yaml`), text);
}

const viewer: PersonIdentity = {
  kind: "person",
  person: { ...LOCAL_USER.person, role: "viewer" },
};
const operator: PersonIdentity = {
  kind: "person",
  person: { ...LOCAL_USER.person, role: "operator" },
};

test("useTemplate starts a task with the filled-in request", async () => {
  const core = await theCore();

  const used = await useTemplate(
    core,
    LOCAL_USER,
    using({ id: "weekly-report", values: { period: "last week" }, priority: "high" }),
  );

  expect(used).toMatchObject({
    kind: "task",
    task: {
      request: expect.stringContaining("weekly report for last week"),
      priority: "high",
      door: "terminal",
      status: "analyzing",
    },
  });
});

test("useTemplate creates a concurrent group together with its agents", async () => {
  const core = await theCore();

  const used = await useTemplate(core, LOCAL_USER, using({ id: "three-reviews", locale: "ja" }));

  expect(used).toMatchObject({ kind: "group", group: { mode: "concurrent" } });
  if (used.kind !== "group") throw new Error("It is not a group.");
  expect(used.agents.map(({ role }) => role)).toEqual(["code-review", "impl-test", "text-review"]);
  expect(used.group.description).toBe("3 つの視点のコードレビュー");
});

test("useTemplate starts only the first stage of a sequential group", async () => {
  const core = await theCore();
  own(
    core,
    "two",
    "id: two\nkind: group\nname: N\ndescription: D\nmode: sequential\nstages:\n  - agents: [{ role: research, prompt: a }]\n  - agents: [{ role: impl-code, prompt: b }]\n",
  );

  const used = await useTemplate(core, LOCAL_USER, using({ id: "two" }));

  expect(used).toMatchObject({
    group: { stages: { total: 2, current: 0, onFailure: "stop" } },
    agents: [
      { stageIndex: 0, held: false },
      { stageIndex: 1, held: true },
    ],
  });
});

test("useTemplate leaves no group behind if a role of the plan does not exist", async () => {
  const core = await aCore();

  await expect(useTemplate(core, LOCAL_USER, using({ id: "three-reviews" }))).rejects.toMatchObject(
    { code: "ROLE_NOT_FOUND" },
  );
  expect(await core.store.listGroups({ view: "active", limit: 10 })).toMatchObject({ groups: [] });
});

test("useTemplate adds a role to the file, and shows the file first if asked", async () => {
  const core = await aRoleCore("roles: []\n");
  own(
    core,
    "lawyer",
    "id: lawyer\nkind: role\nname: N\ndescription: D\nrole:\n  id: law\n  name: { ja: 法務, en: Lawyer }\n  description: Reads contracts\n  systemPrompt: You read contracts.\n  access: read-only\n",
  );

  const plan = await useTemplate(core, LOCAL_USER, using({ id: "lawyer", dryRun: true }));
  expect(plan).toMatchObject({ saved: { saved: false, edited: { before: "roles: []\n" } } });
  expect(core.roles.has("law")).toBe(false);

  await useTemplate(core, LOCAL_USER, using({ id: "lawyer", locale: "ja" }));
  expect(core.roles.get("law")).toMatchObject({ name: "法務", access: "read-only" });
  await expect(useTemplate(core, operator, using({ id: "lawyer" }))).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});

test("useTemplate refuses a template whose server is not configured, with its help", async () => {
  const core = await theCore();
  own(
    core,
    "hr",
    "id: hr\nkind: task\nname: N\ndescription: D\nrequest: R\nneeds: { servers: [payroll], help: Ask Aoi. }\n",
  );

  await expect(useTemplate(core, LOCAL_USER, using({ id: "hr" }))).rejects.toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
    message: expect.stringContaining('"payroll"'),
    hint: "Ask Aoi.",
  });
});

test("useTemplate suggests the nearest id, and says what is wrong with a broken file", async () => {
  const core = await theCore();
  own(core, "broken", "id: broken\nkind: task\n");

  await expect(useTemplate(core, LOCAL_USER, using({ id: "weeklyreport" }))).rejects.toMatchObject({
    code: "TEMPLATE_NOT_FOUND",
    hint: 'Did you mean "weekly-report"?',
  });
  await expect(useTemplate(core, LOCAL_USER, using({ id: "broken" }))).rejects.toThrow("missing");
  for (const id of ["../weekly-report", "/etc/passwd", "..", "weekly-report.yaml\0"]) {
    await expect(useTemplate(core, LOCAL_USER, using({ id }))).rejects.toMatchObject({
      code: "TEMPLATE_NOT_FOUND",
    });
  }
});

test("useTemplate and saveTemplate refuse a viewer", async () => {
  const core = await theCore();

  await expect(useTemplate(core, viewer, using({ id: "weekly-report" }))).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await expect(
    saveTemplate(core, viewer, { taskId: "task-1", overwrite: false }),
  ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
});

test("a template of an untrusted folder is marked, and used only after a person has read it", async () => {
  const base = await theCore();
  const trust = {
    path: "/p",
    hash: "h",
    powers: [],
    rules: [],
    inUse: null,
    problem: null,
    command: "kuromajutsu trust",
  };
  const core = { ...base, trust: { now: () => trust, trust: async () => {} } };
  own(core, "theirs", "id: theirs\nkind: task\nname: N\ndescription: D\nrequest: R\n");

  const { templates } = await listTemplates(core);
  expect(templates.filter(({ isTrusted }) => !isTrusted)).toMatchObject([
    { source: "folder", template: { id: "theirs" } },
  ]);
  await expect(useTemplate(core, LOCAL_USER, using({ id: "theirs" }))).rejects.toMatchObject({
    code: "NOT_ALLOWED",
    hint: expect.stringContaining("kuromajutsu trust"),
  });
  expect(
    await useTemplate(core, LOCAL_USER, using({ id: "theirs", hasReadUntrusted: true })),
  ).toMatchObject({ kind: "task" });
});

async function anEndedTask(core: TestCore, over: Partial<Task> = {}): Promise<Task> {
  const task = aTask({
    status: "completed",
    title: "残業時間の集計",
    request: "9月分の {{残業}} を集計して。パスワードは himitsu123 です",
    promptId: "prm-01",
    processId: "prc-01",
    endedAt: 1,
    ...over,
  });
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertTask(task);
    await unit.insertPromptDraft(aPromptDraft());
    await unit.insertProcessDraft(aProcessDraft());
  });
  return task;
}

test("saveTemplate writes the request without secrets, and the prompt and steps as hints", async () => {
  const core = await theCore();
  const task = await anEndedTask(core);

  const saved = await saveTemplate(core, LOCAL_USER, {
    taskId: task.id,
    id: "overtime",
    overwrite: false,
  });

  expect(saved).toMatchObject({ id: "overtime", removedSecrets: 1 });
  const text = readFileSync(saved.path, "utf8");
  expect(text).toContain("\\{{残業}} を集計して。パスワードは *** です");
  expect(text).not.toContain("himitsu");
  const { templates, problems } = await listTemplates(core);
  expect(problems).toEqual([]);
  const found = templates.find(({ template }) => template.id === "overtime");
  expect(found?.template).toMatchObject({ hints: { steps: expect.any(Array) } });
});

test("saveTemplate makes an id of an English title, and of the task's id for a Japanese one", async () => {
  const core = await theCore();
  const task = await anEndedTask(core, { title: "Weekly: numbers & totals!" });

  expect(await saveTemplate(core, LOCAL_USER, { taskId: task.id, overwrite: false })).toMatchObject(
    { id: "weekly-numbers-totals" },
  );
});

test("saveTemplate refuses ids that are taken, built in or no ids, and tasks that have not ended", async () => {
  const core = await theCore();
  const task = await anEndedTask(core);
  const save = (id: string, overwrite = false) =>
    saveTemplate(core, LOCAL_USER, { taskId: task.id, id, overwrite });
  await save("mine");

  await expect(save("mine")).rejects.toMatchObject({ code: "TEMPLATE_EXISTS" });
  expect(await save("mine", true)).toMatchObject({ id: "mine" });
  await expect(save("weekly-report", true)).rejects.toMatchObject({ code: "TEMPLATE_EXISTS" });
  for (const id of ["../evil", "a/b", "", "ÄB", "a\0b", "x".repeat(300)]) {
    await expect(save(id)).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
  }
});

test("saveTemplate refuses a task that has not ended", async () => {
  const core = await theCore();
  const task = await anEndedTask(core, { status: "analyzing", endedAt: null });

  await expect(
    saveTemplate(core, LOCAL_USER, { taskId: task.id, overwrite: false }),
  ).rejects.toMatchObject({ code: "TRANSITION_NOT_ALLOWED" });
});

test("removeTemplate refuses a file with its path, a built-in template, and a viewer", async () => {
  const core = await theCore();
  own(core, "mine", "id: mine\nkind: task\nname: n\ndescription: d\nrequest: r\n");

  await expect(removeTemplate(core, operator, { id: "mine" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
    message: expect.stringContaining(join(core.templates.folder, "mine.yaml")),
  });
  await expect(removeTemplate(core, operator, { id: "weekly-report" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
    message: expect.stringContaining("part of Kuromajutsu"),
  });
  await expect(removeTemplate(core, operator, { id: "nothing" })).rejects.toMatchObject({
    code: "TEMPLATE_NOT_FOUND",
  });
  await expect(removeTemplate(core, viewer, { id: "mine" })).rejects.toMatchObject({
    message: expect.stringContaining("operator"),
  });
});

test("a saved template that this version cannot read is reported, keeps the others in use, and can be removed", async () => {
  const core = await aCore({ serverId: "a" });
  await core.store.transaction(async (unit) => {
    for (const [id, text] of [
      ["newer", "id: newer\nkind: dance\n"],
      ["known", "id: known\nkind: task\nname: n\ndescription: d\nrequest: r\n"],
    ] as const) {
      await unit.putSavedTemplate({ id, text, savedBy: "local", savedAt: 1 }, false);
    }
  });

  const listed = await listTemplates(core);
  expect(listed.problems).toMatchObject([{ path: "database:templates/newer.yaml", line: 2 }]);
  expect(listed.templates.map(({ template }) => template.id)).toContain("known");
  await removeTemplate(core, operator, { id: "newer" });
  expect((await listTemplates(core)).problems).toEqual([]);
});

test("a saved template whose id a built-in one has taken is reported with what to do about a row, and can be removed", async () => {
  const core = await aCore({ serverId: "a" });
  const id = "weekly-report";
  const text = `id: ${id}\nkind: task\nname: n\ndescription: d\nrequest: r\n`;
  const row = { id, text, savedBy: "local", savedAt: 1 };
  await core.store.transaction((unit) => unit.putSavedTemplate(row, false));

  const [problem, ...others] = (await listTemplates(core)).problems;

  expect(others).toEqual([]);
  expect(problem).toMatchObject({ path: `database:templates/${id}.yaml` });
  for (const words of Object.values(problem?.text ?? {})) {
    expect(words).toContain("kuromajutsu template save");
    expect(words).toContain(`kuromajutsu template remove ${id}`);
    expect(words).not.toMatch(/the file|ファイル/);
  }
  await removeTemplate(core, operator, { id });
  expect((await listTemplates(core)).problems).toEqual([]);
});
