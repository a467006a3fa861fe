import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDown, Wrench } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visiblePreview } from "../../../../../src/contract/visible-text.ts";
import { get } from "../../../api/http.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useLive } from "../../../live/store.ts";
import { visible, visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { isTyping } from "../../../ui/is-typing.ts";
import { ErrorNote, Loading } from "../../../ui/notes.tsx";
import { StatusIcon } from "../../../ui/status-badge.tsx";
import { ScrollList } from "../../../ui/virtual-list.tsx";
import { useApprovalTitle } from "../../approvals/approval-title.ts";
import { usePersonName } from "../../people/use-person-name.ts";
import { TASK } from "../detail/texts.ts";
import { useTaskCost } from "../detail/use-task-cost.ts";
import { type FeedItem, feedItems } from "./feed-items.ts";
import { FEED } from "./texts.ts";
import { useTaskEvents } from "./use-task-events.ts";

/** Live events of the task, and the last messages of its agents. */
export function Feed({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(FEED);
  const { callStatus } = useTexts(TASK);
  const common = useTexts(COMMON);
  const format = useFormat();
  const nameOf = usePersonName();
  const titleOf = useApprovalTitle();
  const [isFollowing, setFollowing] = useState(true);
  const events = useTaskEvents(task.taskId);
  const deeds = useQuery({
    queryKey: ["audit", task.taskId, String(task.version)],
    queryFn: () => get("/api/audit", { query: { subject: task.taskId, limit: 100 } }),
    placeholderData: keepPreviousData,
  }).data?.entries;
  const titles = useMemo(
    () => new Map(task.approvals.map((each) => [each.approvalId, titleOf(each)])),
    [task.approvals, titleOf],
  );
  const items = useMemo(
    () =>
      feedItems(
        events.data ?? [],
        task.toolCalls,
        { feed: text, callStatus, common, nameOf },
        titles,
        deeds,
      ),
    [events.data, task.toolCalls, text, callStatus, common, nameOf, titles, deeds],
  );
  useFollowKey(() => setFollowing(true));
  const { usage } = useTaskCost(task);
  const sum = (of: "inputTokens" | "outputTokens") =>
    usage.reduce((total, row) => total + row[of], 0);
  const [input, output] = [sum("inputTokens"), sum("outputTokens")];
  if (events.isPending) return <Loading />;
  if (events.isError && !events.data) {
    return <ErrorNote error={events.error} onRetry={() => void events.refetch()} />;
  }
  return (
    <div className="flex flex-col gap-2">
      {items.length === 0 ? (
        <p className="py-6 text-center text-text-3">{text.empty}</p>
      ) : (
        <ScrollList
          label={text.title}
          count={items.length}
          keyOf={(index) => items[index]?.id ?? index}
          estimate={(index) => (items[index]?.call ? 70 : 30)}
          render={(index) => {
            const item = items[index];
            return item && <Entry item={item} />;
          }}
          follow={isFollowing}
          onFollow={setFollowing}
          className="max-h-[26rem] min-h-24"
        />
      )}
      <Working task={task} />
      <div className="flex items-center justify-between gap-2">
        <Button
          size="small"
          icon={<ArrowDown size={13} aria-hidden />}
          onPress={() => setFollowing(true)}
          isDisabled={isFollowing}
        >
          {isFollowing ? text.following : text.follow}
        </Button>
        {input + output > 0 && (
          <span className="font-mono text-xs text-text-3">
            {text.tokens(format.compact(input), format.compact(output))}
          </span>
        )}
      </div>
    </div>
  );
}

function Entry({ item }: { readonly item: FeedItem }) {
  const format = useFormat();
  const { at, status, text, note, call } = item;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-2.5 py-1 pr-2">
      <time dateTime={at} className="pt-px font-mono text-[11px] text-text-3">
        {format.time(at)}
      </time>
      {call ? (
        <div
          className={cx(
            "rounded-lg border bg-base px-2.5 py-1.5",
            status === "outcome_unknown" ? "border-timeout/50" : "border-line",
          )}
        >
          <p className="flex flex-wrap items-center gap-x-2 font-mono text-xs font-semibold">
            <Wrench size={12} aria-hidden className="text-success" />
            {visibleName(call.name)}
            <span className="ml-auto flex items-center gap-1 font-sans font-normal text-text-3">
              <StatusIcon status={status} />
              {text}
            </span>
          </p>
          {call.args.length > 2 && (
            <p className="line-clamp-2 font-mono text-[11px] text-text-2">
              {visiblePreview(call.args)}
            </p>
          )}
          {note !== null && <p className="line-clamp-3 text-xs text-failed">{visible(note)}</p>}
        </div>
      ) : (
        <div className="min-w-0">
          <p className="flex items-start gap-1.5">
            <span className="flex h-[1.6em] w-3.5 shrink-0 items-center justify-center">
              <StatusIcon status={status} />
            </span>
            <span className="min-w-0">{text}</span>
          </p>
          {note !== null && <p className="line-clamp-3 pl-5 text-xs text-text-2">{note}</p>}
        </div>
      )}
    </div>
  );
}

/** Running agents with their last messages. */
function Working({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(FEED);
  const ids = task.agents.flatMap(({ agentId, status }) =>
    status === "running" || status === "queued" ? [agentId] : [],
  );
  const agents = useLive(useShallow((state) => ids.flatMap((id) => state.agents.get(id) ?? [])));
  if (agents.length === 0) return null;
  return (
    <div role="log" aria-label={text.now} className="flex flex-col gap-2 border-t border-line pt-2">
      {agents.slice(0, 5).map((agent) => (
        <div key={agent.agentId} className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 text-xs">
            <StatusIcon status={agent.status} />
            <Link
              to="/agents/$agentId"
              params={{ agentId: agent.agentId }}
              className="font-mono text-violet hover:underline"
            >
              {agent.agentId}
            </Link>
            <span className="ml-auto font-mono text-text-3">{agent.model}</span>
          </p>
          {agent.lastMessage !== "" && (
            <p dir="auto" className="line-clamp-4 text-text-2">
              {visible(agent.lastMessage)}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

function useFollowKey(follow: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "f" || isTyping(event)) return;
    if (!event.metaKey && !event.ctrlKey && !event.altKey) follow();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
