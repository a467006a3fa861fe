import { fileURLToPath } from "node:url";
import { lookingTest as test, open, speak } from "./kit.ts";
import { expectAccessible, expectContrast, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf } from "./kit/rest.ts";
import { aBusyScene, BUSY, type Scene } from "./kit/scene.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/screens/", import.meta.url));

/** Every address of the dashboard, by the name of its screenshot. */
const ROUTES: Readonly<Record<string, (scene: Scene) => string>> = {
  dashboard: () => "/",
  approvals: () => "/approvals",
  "approvals-decided": () => "/approvals?view=decided",
  approval: ({ approvalId }) => `/approvals/${approvalId}`,
  tasks: () => "/tasks",
  "tasks-list": () => "/tasks?view=list",
  "task-prompt": ({ prompt }) => `/tasks/${prompt}`,
  "task-held": ({ held }) => `/tasks/${held}`,
  "task-blocked": ({ blocked }) => `/tasks/${blocked}`,
  "task-completed": ({ completed }) => `/tasks/${completed}`,
  "task-failed": ({ failed }) => `/tasks/${failed}`,
  schedules: () => "/schedules",
  groups: () => "/groups",
  group: ({ groupId }) => `/groups/${groupId}`,
  "group-stages": ({ stages }) => `/groups/${stages}`,
  "group-magentic": ({ magenticId }) => `/groups/${magenticId}`,
  "agent-working": ({ working }) => `/agents/${working}`,
  "agent-done": ({ done }) => `/agents/${done}`,
  "agent-broken": ({ broken }) => `/agents/${broken}`,
  workspaces: () => "/workspaces",
  templates: () => "/templates",
  "template-task": () => "/templates/weekly-report",
  "template-group": () => "/templates/research-implement-test",
  "template-role": () => "/templates/security-review",
  "template-missing": () => "/templates/none",
  history: () => "/history",
  roles: () => "/roles",
  role: () => "/roles/impl-code",
  health: () => "/health",
  system: () => "/system",
  workers: () => "/workers",
  notifications: () => "/notifications",
  costs: () => "/costs",
  audit: () => "/audit",
  settings: () => "/settings",
  welcome: () => "/welcome",
  "not-found": () => "/no-such-page",
  "task-missing": () => "/tasks/task-none",
  "approval-missing": () => "/approvals/apr-none",
  "group-missing": () => "/groups/grp-none",
  "agent-missing": () => "/agents/impl-code-none",
  "schedule-missing": () => "/schedules/sch-none",
  "role-missing": () => "/roles/none",
};

let daemon: Daemon;
let scene: Scene;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  daemon = await aDaemon(BUSY);
  scene = await aBusyScene(restOf(daemon.url));
});
test.afterAll(() => daemon.end());

for (const [name, addressOf] of Object.entries(ROUTES)) {
  test(`the page ${name} has a sound layout, is accessible and logs no error, in both languages and themes`, async ({
    page,
    calm,
  }, info) => {
    if (name.endsWith("-missing")) calm.expect(/status of 404/);
    await open(page, daemon.url, addressOf(scene));
    for (const spoken of ["ja", "en"] as const) {
      await speak(page, spoken);
      await expectLaidOut(page);
      const shoot = (theme: string) =>
        page.screenshot({
          path: `${SCREENS}${info.project.name}/${theme}/${spoken}/${name}.png`,
          fullPage: true,
          scale: "css",
        });
      await shoot("dark");
      await expectAccessible(page, `${name} ${spoken} dark`);
      // Without a chosen theme the page follows the system at once.
      await page.emulateMedia({ colorScheme: "light" });
      await shoot("light");
      await expectContrast(page, `${name} ${spoken} light`);
      await page.emulateMedia({ colorScheme: "dark" });
    }
  });
}

test("without data every list says what to do next", async ({ page, stage }) => {
  const { daemon: empty } = await stage();
  const pages = [
    "/",
    "/approvals",
    "/tasks",
    "/groups",
    "/workspaces",
    "/history",
    "/notifications",
    "/costs",
  ];
  for (const path of pages) {
    await open(page, empty.url, path);
    await expectLaidOut(page);
    await expectAccessible(page, path);
    await page.emulateMedia({ colorScheme: "light" });
    await expectContrast(page, `${path} light`);
    await page.emulateMedia({ colorScheme: "dark" });
  }
});
