import { useNavigate } from "@tanstack/react-router";
import { OctagonX, Trash2 } from "lucide-react";
import { useState } from "react";
import type { AgentCard } from "../../../../src/contract/shapes/agents.ts";
import { post, remove } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { StatusIcon } from "../../ui/status-badge.tsx";
import { useAction } from "../../ui/use-action.ts";
import { type GroupDetail, isAtWork } from "./group-data.ts";
import { TEXTS } from "./texts.ts";

export type GroupActionsProps = {
  readonly group: GroupDetail;
  readonly agents: readonly AgentCard[];
  /** Agents of its subgroups. */
  readonly childAgents: readonly AgentCard[];
};

export function GroupActions({ group, agents, childAgents }: GroupActionsProps) {
  const all = [...agents, ...childAgents];
  const live = all.filter(isAtWork);
  const mayOperate = useMayOperate();
  if (!mayOperate) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {live.length > 0 && (
        <StopGroup groupId={group.groupId} live={live} hasChildren={childAgents.some(isAtWork)} />
      )}
      {group.status === "active" && (
        <DeleteGroup groupId={group.groupId} canDelete={!agents.some(isAtWork)} />
      )}
    </div>
  );
}

const MAX_NAMES = 30;

function StopGroup({
  groupId,
  live,
  hasChildren,
}: {
  readonly groupId: string;
  readonly live: readonly AgentCard[];
  readonly hasChildren: boolean;
}) {
  const text = useTexts(TEXTS).stop;
  const common = useTexts(COMMON);
  const [isAsking, setAsking] = useState(false);
  const [isSent, setSent] = useState(false);
  const stop = useAction(async () => {
    await post("/api/groups/{id}/stop", { params: { id: groupId } });
    setSent(true);
    setAsking(false);
  });
  return (
    <>
      <Button
        look="reject"
        icon={<OctagonX size={14} aria-hidden />}
        onPress={() => setAsking(true)}
        isDisabled={isSent}
      >
        {isSent ? text.stopping : text.button}
      </Button>
      <Dialog title={text.title} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className="text-text-2">{text.body(live.length)}</p>
        {hasChildren && <p className="text-timeout">{text.children}</p>}
        <ul
          tabIndex={0}
          aria-label={text.title}
          className="my-3 max-h-56 overflow-y-auto rounded-lg border border-line bg-base p-2"
        >
          {live.slice(0, MAX_NAMES).map((agent) => (
            <li key={agent.agentId} className="flex items-center gap-2 py-0.5">
              <span className="inline-flex w-4 justify-center">
                <StatusIcon status={agent.status} />
              </span>
              <span className="font-mono text-xs break-all">{agent.agentId}</span>
            </li>
          ))}
          {live.length > MAX_NAMES && (
            <li className="text-text-3">{text.andMore(live.length - MAX_NAMES)}</li>
          )}
        </ul>
        <div className="flex justify-end gap-2">
          <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
          <Button look="danger" onPress={() => void stop.run()} isPending={stop.isRunning}>
            {text.go(live.length)}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function DeleteGroup({
  groupId,
  canDelete,
}: {
  readonly groupId: string;
  readonly canDelete: boolean;
}) {
  const text = useTexts(TEXTS).remove;
  const common = useTexts(COMMON);
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const erase = useAction(async () => {
    await remove("/api/groups/{id}", { params: { id: groupId } });
    await navigate({ to: "/groups" });
  });
  return (
    <>
      <span title={canDelete ? "" : text.notYet}>
        <Button
          icon={<Trash2 size={14} aria-hidden />}
          onPress={() => setAsking(true)}
          isDisabled={!canDelete}
        >
          {text.button}
        </Button>
      </span>
      <Dialog title={text.title} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className="text-text-2">{text.body}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
          <Button look="danger" onPress={() => void erase.run()} isPending={erase.isRunning}>
            {text.go}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
