import { Link, useLocation } from "@tanstack/react-router";
import { Compass, X } from "lucide-react";
import { useId } from "react";
import { useCommandName } from "../../api/system.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { cx } from "../../ui/cx.ts";
import { Spotlight, TARGETS } from "./spotlight.tsx";
import { PLACE_COUNT, placeOf, type Stage, stageOf } from "./stage.ts";
import { TOUR } from "./texts.ts";
import { useStartStory, useTour } from "./use-tour.ts";

/** Above the page on a phone and in its corner on a wide screen: it never covers what it explains. */
const PLACE = "sticky top-[52px] z-20 lg:fixed lg:top-auto lg:right-4 lg:bottom-4 lg:z-40";

/** The guide through a demo: it follows what happens, and asks for nothing itself. */
export function Tour() {
  const text = useTexts(TOUR);
  const { isClosed, task, story, close, resume } = useTour();
  const { pathname } = useLocation();
  const titleId = useId();
  const stage = stageOf(task);
  const isOnTask = task !== undefined && pathname === `/tasks/${task.taskId}`;
  // The first page itself offers the stories.
  if (stage === "start") return null;
  if (isClosed) {
    return (
      <aside aria-label={text.name} className={cx(PLACE, "px-4 pt-3 lg:p-0")}>
        <Button icon={<Compass size={15} aria-hidden />} onPress={resume} className="shadow-lg">
          {text.resume}
        </Button>
      </aside>
    );
  }
  const place = placeOf(stage, story);
  return (
    <>
      <aside
        aria-labelledby={titleId}
        className={cx(
          PLACE,
          "border-b border-violet/50 bg-float px-4 py-3 lg:w-[21rem] lg:rounded-2xl lg:border lg:p-4 lg:shadow-2xl",
        )}
      >
        <div className="flex items-center gap-2">
          <Compass size={16} aria-hidden className="shrink-0 text-violet" />
          <h2 id={titleId} className="min-w-0 flex-1 truncate text-[15px] font-bold">
            <span className="sr-only">{text.name}: </span>
            {text.stages[stage].title}
          </h2>
          <span className="font-mono text-xs text-text-2">{text.place(place, PLACE_COUNT)}</span>
          <IconButton label={text.leave} size="small" onPress={close}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
        <div aria-hidden className="mt-1.5 h-1 overflow-hidden rounded-full bg-line">
          <div
            className="h-full rounded-full bg-violet-solid transition-[width]"
            style={{ width: `${(place / PLACE_COUNT) * 100}%` }}
          />
        </div>
        <p role="status" className="mt-2 text-[13px] leading-relaxed text-text-2">
          {text.stages[stage].body}
        </p>
        <Actions stage={stage} taskId={task?.taskId ?? ""} isOnTask={isOnTask} />
      </aside>
      {isOnTask && <Spotlight stage={stage} />}
    </>
  );
}

function Actions({
  stage,
  taskId,
  isOnTask,
}: {
  readonly stage: Stage;
  readonly taskId: string;
  readonly isOnTask: boolean;
}) {
  const text = useTexts(TOUR);
  const target = TARGETS[stage];
  if (!isOnTask) {
    return (
      <Link
        to="/tasks/$taskId"
        params={{ taskId }}
        className="mt-2 inline-block font-semibold text-violet hover:underline"
      >
        {text.toTask}
      </Link>
    );
  }
  if (stage === "done" || stage === "ended") return <Next />;
  if (target === undefined) return null;
  return (
    <Button
      size="small"
      className="mt-2"
      onPress={() => document.querySelector(target)?.scrollIntoView({ block: "center" })}
    >
      {text.show}
    </Button>
  );
}

function Next() {
  const text = useTexts(TOUR);
  const { story } = useTour();
  const start = useStartStory();
  const command = `${useCommandName()} init`;
  return (
    <div className="mt-2 flex flex-col gap-2 text-[13px]">
      <p className="text-text-2">{text.next}</p>
      <p className="flex items-center justify-between gap-2 rounded-lg border border-line bg-base px-3 py-1.5 font-mono text-xs">
        {command}
        <CopyButton text={command} />
      </p>
      <Button
        look="violet"
        isPending={start.isRunning}
        onPress={() => void start.run(story === "hr" ? "coding" : "hr")}
      >
        {text.again}
      </Button>
    </div>
  );
}
