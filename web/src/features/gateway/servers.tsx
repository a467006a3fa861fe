import { ShieldAlert, ShieldCheck, ShieldQuestion } from "lucide-react";
import { useState } from "react";
import type { WireGatewayServer } from "../../../../src/contract/shapes/gateway.ts";
import { useGateway } from "../../api/system.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible, visibleName } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState, ErrorNote, Loading } from "../../ui/notes.tsx";
import { CountBadge } from "../../ui/page-head.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { AcceptDialog, type GatewayTool } from "./accept-dialog.tsx";
import { TEXTS } from "./texts.ts";

const TONE_OF: Record<WireGatewayServer["status"], string> = {
  starting: "planning",
  ready: "done",
  failed: "failed",
  stopped: "cancelled",
};

export function Gateway() {
  const text = useTexts(TEXTS);
  const gateway = useGateway();
  const servers = gateway.data?.servers ?? [];
  const changed = servers.flatMap((server) => server.tools.filter((tool) => tool.isQuarantined));
  return (
    <div className="flex flex-col gap-3">
      {gateway.isPending && <Loading />}
      {gateway.isError && (
        <ErrorNote error={gateway.error} onRetry={() => void gateway.refetch()} />
      )}
      {gateway.isSuccess && servers.length === 0 && (
        <EmptyState title={text.noServers}>{text.noServersNote}</EmptyState>
      )}
      {changed.length > 0 && (
        <p
          role="status"
          className="flex gap-2 rounded-xl border border-timeout/60 bg-timeout/10 px-4 py-3"
        >
          <ShieldAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-timeout" />
          {text.quarantinedNote(changed.length)}
        </p>
      )}
      {servers.map((server) => (
        <ServerCard key={server.name} server={server} />
      ))}
    </div>
  );
}

function ServerCard({ server }: { readonly server: WireGatewayServer }) {
  const text = useTexts(TEXTS);
  const inWords = useReason();
  const [reviewing, setReviewing] = useState<string | null>(null);
  const reviewed = server.tools.find(({ name }) => name === reviewing);
  return (
    <Card className="p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-mono font-bold">{server.name}</h3>
        <StatusBadge status={TONE_OF[server.status]} label={text.statuses[server.status]} />
        <CountBadge>{server.transport}</CountBadge>
        <span className="text-xs text-text-3">{text.tools(server.tools.length)}</span>
        {server.restarts > 0 && (
          <span className="text-xs text-text-3">{text.restarts(server.restarts)}</span>
        )}
      </div>
      {server.error && (
        <p className="mt-1 font-mono text-xs text-failed">{visible(inWords(server.error))}</p>
      )}
      {server.tools.length > 0 && (
        <ul className="mt-2 divide-y divide-line border-t border-line">
          {server.tools.map((tool) => (
            <li key={tool.name} className="py-2">
              <ToolRow tool={tool} onReview={() => setReviewing(tool.name)} />
            </li>
          ))}
        </ul>
      )}
      {reviewed && (
        <AcceptDialog server={server.name} tool={reviewed} onClose={() => setReviewing(null)} />
      )}
    </Card>
  );
}

function ToolRow({
  tool,
  onReview,
}: {
  readonly tool: GatewayTool;
  readonly onReview: () => void;
}) {
  const text = useTexts(TEXTS);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2">
          <code className="font-mono text-xs font-semibold break-all">
            {visibleName(tool.name)}
          </code>
          {tool.title && <span className="text-text-2">{visibleName(tool.title)}</span>}
          {tool.isReadOnly && (
            <span className="inline-flex items-center gap-1 text-xs text-success">
              <ShieldCheck size={12} aria-hidden />
              {text.readOnly}
            </span>
          )}
          {tool.isCheckedOutsideTask && (
            <span className="inline-flex items-center gap-1 text-xs text-pending">
              <ShieldQuestion size={12} aria-hidden />
              {tool.humanCheck === "always" ? text.checkedAlways : text.checkedOutsideTask}
            </span>
          )}
          {tool.humanCheck === "never" && (
            <span className="text-xs text-text-3">{text.checkedNever}</span>
          )}
          {tool.isQuarantined && (
            <span className="inline-flex items-center gap-1 rounded-full border border-timeout/50 bg-timeout/10 px-2 text-xs font-semibold text-timeout">
              <ShieldAlert size={12} aria-hidden />
              {text.quarantined}
            </span>
          )}
        </p>
        <p className="line-clamp-2 text-xs text-text-2">
          {visible(tool.description.slice(0, 500))}
        </p>
        <details className="mt-0.5" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="w-fit cursor-pointer text-xs text-violet">{text.schema}</summary>
          {isOpen && (
            <pre
              tabIndex={0}
              aria-label={text.schema}
              className="mt-1 max-h-72 overflow-auto rounded-lg border border-line bg-base p-3 font-mono text-xs"
            >
              {visible(JSON.stringify(tool.definition, null, 2))}
            </pre>
          )}
        </details>
      </div>
      {tool.isQuarantined && (
        <Button size="small" onPress={onReview}>
          {text.review}
        </Button>
      )}
    </div>
  );
}
