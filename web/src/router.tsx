import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { get } from "./api/http.ts";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { PageError } from "./ui/page-error.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Filters are in the URL, so that a view can be shared. */
export type PageSearch = Readonly<Record<string, string | undefined>>;

function searchOf(search: Record<string, unknown>): PageSearch {
  return Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [[key, String(value)]]
        : [],
    ),
  );
}

/**
 * If a page's chunk cannot be loaded, ask the daemon: if it does not respond, the page shows that;
 * if it does, the chunk belongs to an older version, and the router reloads the application.
 */
async function fetched<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    await get("/api/health");
    throw error;
  }
}

function page<Path extends string>(
  path: Path,
  load: () => Promise<{ Page: () => React.ReactNode }>,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: searchOf,
    component: lazyRouteComponent(() => fetched(load), "Page"),
    errorComponent: PageError,
  });
}

const routeTree = root.addChildren([
  page("/", () => import("./pages/dashboard/page.tsx")),
  page("/approvals", () => import("./pages/approvals.tsx")),
  page("/approvals/$approvalId", () => import("./pages/approval.tsx")),
  page("/tasks", () => import("./pages/tasks.tsx")),
  page("/tasks/$taskId", () => import("./pages/task.tsx")),
  page("/schedules", () => import("./pages/schedules.tsx")),
  page("/schedules/$scheduleId", () => import("./pages/schedule.tsx")),
  page("/groups", () => import("./pages/groups.tsx")),
  page("/groups/$groupId", () => import("./pages/group.tsx")),
  page("/workspaces", () => import("./pages/workspaces.tsx")),
  page("/agents/$agentId", () => import("./pages/agent.tsx")),
  page("/templates", () => import("./pages/templates.tsx")),
  page("/templates/$templateId", () => import("./pages/template.tsx")),
  page("/history", () => import("./pages/history/page.tsx")),
  page("/roles", () => import("./pages/roles.tsx")),
  page("/roles/$roleId", () => import("./pages/role.tsx")),
  page("/health", () => import("./pages/health.tsx")),
  page("/system", () => import("./pages/system/page.tsx")),
  page("/workers", () => import("./pages/workers.tsx")),
  page("/notifications", () => import("./pages/notifications.tsx")),
  page("/costs", () => import("./pages/costs/page.tsx")),
  page("/audit", () => import("./pages/audit/page.tsx")),
  page("/settings", () => import("./pages/settings/page.tsx")),
  page("/welcome", () => import("./pages/welcome/page.tsx")),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
