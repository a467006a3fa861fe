import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { cx } from "../../../ui/cx.ts";
import { Loading } from "../../../ui/notes.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { useRoleName } from "../../roles/role-icon.tsx";
import { TASK } from "../detail/texts.ts";
import { type AgentFiles, countOf, type TaskFiles } from "./use-task-files.ts";

/** Loaded on demand, because it includes the transcript reader. */
const AgentChanges = lazy(async () => ({
  default: (await import("../../agents/agent-changes.tsx")).AgentChanges,
}));

/** With more agents than this, each transcript is read on request. */
const MAX_OPEN = 3;

/** File changes of the task's agents, as reported by their CLIs. */
export function FileDiffs({
  task,
  files: { writers },
}: {
  readonly task: TaskDetail;
  readonly files: TaskFiles;
}) {
  const [{ agent: asked }] = useFilters();
  return writers.map((files) => (
    <AgentSection
      key={`${files.agentId} ${asked === files.agentId}`}
      files={files}
      role={task.agents.find(({ agentId }) => agentId === files.agentId)?.role ?? ""}
      isLive={task.agents.some((each) => each.agentId === files.agentId && isAtWork(each.status))}
      isOpenAtFirst={asked === undefined ? writers.length <= MAX_OPEN : asked === files.agentId}
    />
  ));
}

function isAtWork(status: string): boolean {
  return status === "queued" || status === "running";
}

function AgentSection({
  files,
  role,
  isLive,
  isOpenAtFirst,
}: {
  readonly files: AgentFiles;
  readonly role: string;
  readonly isLive: boolean;
  readonly isOpenAtFirst: boolean;
}) {
  const text = useTexts(TASK);
  const [filters] = useFilters();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const name = useRoleName(role);
  return (
    <section className="min-w-0">
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex w-full items-center gap-1.5 rounded-lg py-1 text-left hover:bg-raised"
          >
            <ChevronDown
              size={14}
              aria-hidden
              className={cx("shrink-0 text-text-3", !isOpen && "-rotate-90")}
            />
            <span className="truncate font-semibold">{name}</span>
            <span className="shrink-0 text-xs text-text-3">{text.fileCount(countOf(files))}</span>
          </button>
        </h3>
        <Link
          to="/agents/$agentId"
          params={{ agentId: files.agentId }}
          className="shrink-0 font-mono text-[11px] text-violet hover:underline"
        >
          {files.agentId}
        </Link>
      </div>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <AgentChanges
            agentId={files.agentId}
            isLive={isLive}
            focus={filters["agent"] === files.agentId ? filters["file"] : undefined}
          />
        </Suspense>
      )}
    </section>
  );
}
