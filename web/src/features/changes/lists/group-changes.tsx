import { useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { CountBadge, SectionHead } from "../../../ui/page-head.tsx";
import { type GroupChange, useGroupChange, usePatchesOfGroup } from "../change-data.ts";
import { DiffPane } from "../diff/diff-pane.tsx";
import { LineCounts } from "../diff/file-status.tsx";
import { LISTS } from "../list-texts.ts";
import { AgentLink, OverlapList } from "../overlaps/overlap-list.tsx";
import { OverlapMatrix } from "../overlaps/overlap-matrix.tsx";
import { CHANGES } from "../texts.ts";
import { ChangeRows } from "./change-row.tsx";

/** The changes of a group's agents, how they overlap, and all of them merged. */
export function GroupChanges({ groupId }: { readonly groupId: string }) {
  const text = useTexts(LISTS);
  const { data } = useGroupChange(groupId);
  if (!data || data.changes.length === 0) return null;
  return (
    <section aria-label={text.changes} className="mb-6 flex flex-col gap-3">
      <SectionHead
        title={text.changes}
        badge={<CountBadge>{data.changes.length}</CountBadge>}
        note={text.noteOfGroup}
      />
      <ChangeRows changes={data.changes} />
      {data.overlaps.length > 0 && (
        <div className="grid items-start gap-4 lg:grid-cols-[auto_minmax(0,1fr)]">
          <OverlapMatrix changes={data.changes} overlaps={data.overlaps} />
          <OverlapList overlaps={data.overlaps} />
        </div>
      )}
      {data.combined && <Combined groupId={groupId} combined={data.combined} />}
    </section>
  );
}

type CombinedProps = {
  readonly groupId: string;
  readonly combined: NonNullable<GroupChange["combined"]>;
};

function Combined({ groupId, combined }: CombinedProps) {
  const text = useTexts(LISTS);
  const words = useTexts(CHANGES);
  const [isOpen, setOpen] = useState(false);
  const { commit, files, conflicts } = combined;
  const sum = (side: "added" | "removed") =>
    files.reduce((total, file) => total + (file[side] ?? 0), 0);
  return (
    <div>
      <SectionHead
        title={text.combined}
        note={text.combinedNote}
        badge={
          <span className="flex gap-2 text-xs font-normal text-text-2">
            {words.fileCount(String(files.length))}
            <LineCounts added={sum("added")} removed={sum("removed")} />
          </span>
        }
      >
        {files.length > 0 && !isOpen && (
          <Button onPress={() => setOpen(true)}>{text.combinedShow}</Button>
        )}
      </SectionHead>
      {conflicts.length > 0 && (
        <div className="mb-3 rounded-lg border border-timeout/50 bg-timeout/10 px-3 py-2">
          <p className="text-timeout">{text.combinedConflict}</p>
          <ul className="text-xs">
            {conflicts.map(({ workspaceId, agentId, path }) => (
              <li key={`${workspaceId} ${path}`} className="flex flex-wrap gap-x-2">
                <AgentLink agentId={agentId} />
                <span className="font-mono break-all text-text-2">{visibleName(path)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {isOpen && <CombinedDiff groupId={groupId} commit={commit} files={files} />}
    </div>
  );
}

type CombinedDiffProps = {
  readonly groupId: string;
  readonly commit: string;
  readonly files: CombinedProps["combined"]["files"];
};

function CombinedDiff({ groupId, commit, files }: CombinedDiffProps) {
  const source = usePatchesOfGroup(groupId, commit);
  return <DiffPane key={source.key} source={source} files={files} />;
}
