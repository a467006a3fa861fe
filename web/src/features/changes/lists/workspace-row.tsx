import { Link } from "@tanstack/react-router";
import { FolderX } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { WireWorkspace } from "../../../../../src/contract/shapes/workspaces.ts";
import { sizeText } from "../../../../../src/contract/size-text.ts";
import { post } from "../../../api/http.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { Ago } from "../../../ui/times.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { AttentionNotes } from "../attention-notes.tsx";
import { LineCounts } from "../diff/file-status.tsx";
import { LISTS } from "../list-texts.ts";
import { CHANGES } from "../texts.ts";

/** One worktree with its place, its size and its change. */
export function WorkspaceRow({ workspace }: { readonly workspace: WireWorkspace }) {
  const text = useTexts(LISTS);
  const words = useTexts(CHANGES);
  const format = useFormat();
  const { agentId, groupId, status, outcome, files, added, removed, version } = workspace;
  return (
    <Card className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={status} label={text.statuses[status]} />
        {version > 0 && <StatusBadge status={outcome} label={words.outcomes[outcome]} />}
        <Link
          to="/agents/$agentId"
          params={{ agentId }}
          search={{ tab: "changes" }}
          className="inline-block min-h-[24px] py-1 font-mono text-xs break-all text-violet hover:underline"
        >
          {agentId}
        </Link>
        <Link
          to="/groups/$groupId"
          params={{ groupId }}
          className="inline-block min-h-[24px] py-1 font-mono text-xs break-all text-text-3 hover:underline"
        >
          {groupId}
        </Link>
        {version > 0 && (
          <span className="flex items-baseline gap-2 text-xs text-text-2">
            {words.fileCount(format.number(files))}
            <LineCounts added={added} removed={removed} />
          </span>
        )}
        <span className="ml-auto">
          <Retire workspace={workspace} />
        </span>
      </div>
      <dl className="grid gap-x-6 gap-y-0.5 text-xs text-text-2 sm:grid-cols-2">
        <Fact name={text.branch} mono>
          {visibleName(workspace.branch)}
        </Fact>
        <Fact name={text.size}>
          {workspace.diskBytes === null ? "—" : sizeText(workspace.diskBytes)}
        </Fact>
        <Fact name={text.repository} mono>
          {visibleName(workspace.repository)}
        </Fact>
        <Fact name={text.age}>
          <Ago at={workspace.createdAt} />
        </Fact>
        {status !== "retired" && (
          <Fact name={text.folder} mono>
            {visibleName(workspace.path)}
          </Fact>
        )}
        {workspace.ports && (
          <Fact name={text.ports} mono>
            {workspace.ports.from}–{workspace.ports.from + workspace.ports.count - 1}
          </Fact>
        )}
      </dl>
      <AttentionNotes attention={workspace.attention} />
    </Card>
  );
}

type FactProps = { readonly name: string; readonly mono?: boolean; readonly children: ReactNode };

function Fact({ name, mono = false, children }: FactProps) {
  return (
    <div className="flex min-w-0 gap-2">
      <dt className="w-20 shrink-0 text-text-3">{name}</dt>
      <dd className={mono ? "min-w-0 font-mono text-[11px] break-all" : "min-w-0"}>{children}</dd>
    </div>
  );
}

/** A worktree in use is kept: the daemon would refuse. */
const IN_USE: ReadonlySet<WireWorkspace["status"]> = new Set([
  "planned",
  "preparing",
  "ready",
  "retired",
]);

function Retire({ workspace }: { readonly workspace: WireWorkspace }) {
  const text = useTexts(LISTS);
  const common = useTexts(COMMON);
  const mayOperate = useMayOperate();
  const [isOpen, setOpen] = useState(false);
  const retire = useAction(async () => {
    await post("/api/workspaces/{id}/retire", { params: { id: workspace.workspaceId } });
    setOpen(false);
  });
  if (!mayOperate || IN_USE.has(workspace.status)) return null;
  return (
    <>
      <Button
        size="small"
        icon={<FolderX size={13} aria-hidden />}
        onPress={() => setOpen(true)}
        isDisabled={retire.isRunning}
      >
        {text.retire}
      </Button>
      <Dialog title={text.retireTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="mb-2 font-mono text-xs break-all text-text-3">
          {visibleName(workspace.path)}
        </p>
        <p className="text-text-2">{text.retireBody}</p>
        {workspace.outcome === "open" && <p className="mt-2 text-timeout">{text.retireOpen}</p>}
        <div className="mt-4 flex justify-end gap-2">
          <Button onPress={() => setOpen(false)}>{common.cancel}</Button>
          <Button look="danger" onPress={() => void retire.run()} isPending={retire.isRunning}>
            {text.retireGo}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
