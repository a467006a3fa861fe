import { useNavigate } from "@tanstack/react-router";
import { create } from "zustand";
import { demoRequest, type DemoStory, demoStoryOf } from "../../../../src/contract/demo.ts";
import { post } from "../../api/http.ts";
import { useTask } from "../../api/use-task.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useLive } from "../../live/store.ts";
import { useAction } from "../../ui/use-action.ts";

const KEY = "kuromajutsu.tour";

type Memory = {
  readonly isClosed: boolean;
  /** The task of the tour; null: the newest one of a story. */
  readonly taskId: string | null;
};

/** Remembered for this tab, so that a reload resumes the tour. */
const useMemory = create<Memory>(() => recall());

function recall(): Memory {
  try {
    const [state = "", taskId = ""] = (sessionStorage.getItem(KEY) ?? "").split(" ");
    return { isClosed: state === "closed", taskId: taskId || null };
  } catch {
    return { isClosed: false, taskId: null };
  }
}

function remember(change: Partial<Memory>): void {
  useMemory.setState(change);
  const { isClosed, taskId } = useMemory.getState();
  try {
    sessionStorage.setItem(KEY, `${isClosed ? "closed" : "open"} ${taskId ?? ""}`);
  } catch {
    // Without storage a reload opens the tour again.
  }
}

export function useTour() {
  const { isClosed, taskId } = useMemory();
  const newest = useLive(({ tasks }) =>
    [...tasks.values()]
      .filter(({ request }) => demoStoryOf(request))
      .map((task) => task.taskId)
      .toSorted()
      .at(-1),
  );
  const { data: task } = useTask(taskId ?? newest ?? null);
  return {
    isClosed,
    task,
    story: task && demoStoryOf(task.request),
    close: () => remember({ isClosed: true }),
    resume: () => remember({ isClosed: false }),
  };
}

/** Requests the task of a story and shows it. */
export function useStartStory() {
  const navigate = useNavigate();
  const locale = useLocale((state) => state.locale);
  return useAction(async (story: DemoStory) => {
    const { taskId } = await post("/api/tasks", { body: { text: demoRequest(story, locale) } });
    remember({ isClosed: false, taskId });
    await navigate({ to: "/tasks/$taskId", params: { taskId } });
  });
}
