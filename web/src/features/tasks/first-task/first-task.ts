import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { post } from "../../../api/http.ts";
import { useLive } from "../../../live/store.ts";
import { type Action, useAction } from "../../../ui/use-action.ts";

const LIKED = ["research", "text-review", "code-review"];
const MAX_STEPS = 3;
/** Without a model the task would end within a second, too fast to watch or stop it. */
const STEP_MS = 15_000;

export type FirstTask = {
  /** False while it is unknown whether it costs money. */
  readonly isKnown: boolean;
  /** null for a rehearsal, which costs nothing. */
  readonly runner: string | null;
  readonly create: Action<readonly [text: string]>;
};

/** The first task of a new user. */
export function useFirstTask(): FirstTask {
  const navigate = useNavigate();
  const isKnown = useLive(({ connection }) => connection.asOf !== null);
  const roles = useLive((state) => state.roles);
  const runner = roles.find((role) => role.runner !== "rehearsal")?.runner ?? null;
  const directives = useMemo(
    () => directivesFor(roles.flatMap(({ id, available }) => (available ? [id] : []))),
    [roles],
  );
  const create = useAction(async (text: string) => {
    const request = runner === null ? `${text}${directives}` : text;
    const { taskId } = await post("/api/tasks", { body: { text: request } });
    await navigate({ to: "/tasks/$taskId", params: { taskId } });
  });
  return { isKnown, runner, create };
}

/** Directives for the rehearsal runner (docs/rehearsal.md): slow steps that can be interrupted. */
function directivesFor(available: readonly string[]): string {
  const usable = available.filter((id) => id !== "orchestrator");
  const steps = [...LIKED.filter((id) => usable.includes(id)), ...usable];
  const chosen = [...new Set(steps)].slice(0, MAX_STEPS);
  if (chosen.length === 0) return "";
  return [
    "",
    `#rehearsal steps ${chosen.map((id) => `agent:${id}`).join(", ")}`,
    `#rehearsal in executor child listen ${STEP_MS}`,
  ].join("\n");
}
