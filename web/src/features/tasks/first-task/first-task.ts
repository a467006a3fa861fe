import { useNavigate } from "@tanstack/react-router";
import { sampleRequest, sampleRunner } from "../../../../../src/contract/sample-task.ts";
import { post } from "../../../api/http.ts";
import { useLive } from "../../../live/store.ts";
import { type Action, useAction } from "../../../ui/use-action.ts";

export type FirstTask = {
  /** False while it is unknown whether it costs money. */
  readonly isKnown: boolean;
  /** null for a rehearsal, which costs nothing. */
  readonly runner: string | null;
  readonly create: Action<readonly [text: string]>;
};

/** The first task of a new user. A rehearsal writes `fileText`, so that there is a file to look at. */
export function useFirstTask(fileText: string): FirstTask {
  const navigate = useNavigate();
  const isKnown = useLive(({ connection }) => connection.asOf !== null);
  const roles = useLive((state) => state.roles);
  const create = useAction(async (request: string) => {
    const text = sampleRequest({ request, file: fileText }, roles);
    const { taskId } = await post("/api/tasks", { body: { text, sample: true } });
    await navigate({ to: "/tasks/$taskId", params: { taskId } });
  });
  return { isKnown, runner: sampleRunner(roles), create };
}
