import { Link } from "@tanstack/react-router";
import { FilePenLine, FilePlus2 } from "lucide-react";
import { useTexts } from "../../../i18n/texts.ts";
import { Loading } from "../../../ui/notes.tsx";
import { useFilters } from "../../../ui/use-filters.ts";
import { TASK } from "../detail/texts.ts";
import type { AgentFiles, TaskFiles } from "./use-task-files.ts";

const MAX_FILES = 500;

/** Files written by the task's agents, each linked to its changes. */
export function FilesTab({ files }: { readonly files: TaskFiles }) {
  const text = useTexts(TASK);
  if (files.writers.length === 0) {
    return files.isPending ? <Loading /> : <p className="py-4 text-text-3">{text.noFiles}</p>;
  }
  return (
    <ul className="flex max-h-[32rem] flex-col gap-3 overflow-y-auto">
      {files.writers.map((each) => (
        <li key={each.agentId}>
          <Link
            to="/agents/$agentId"
            params={{ agentId: each.agentId }}
            className="font-mono text-xs text-violet hover:underline"
          >
            {each.agentId}
          </Link>
          <ul className="mt-1 flex flex-col">
            {each.createdFiles.slice(0, MAX_FILES).map((path) => (
              <File key={`+${path}`} of={each} path={path} isNew />
            ))}
            {each.editedFiles.slice(0, MAX_FILES).map((path) => (
              <File key={path} of={each} path={path} isNew={false} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function File({
  of,
  path,
  isNew,
}: {
  readonly of: AgentFiles;
  readonly path: string;
  readonly isNew: boolean;
}) {
  const text = useTexts(TASK);
  const [, change] = useFilters();
  const Icon = isNew ? FilePlus2 : FilePenLine;
  const root = `${of.workingDirectory}/`;
  return (
    <li>
      <button
        type="button"
        title={text.showDiff}
        onClick={() => change({ tab: "diffs", agent: of.agentId, file: path })}
        className="flex w-full items-start gap-2 rounded-lg px-1.5 py-1 text-left hover:bg-raised"
      >
        <Icon
          size={13}
          aria-hidden
          className={isNew ? "mt-1 shrink-0 text-success" : "mt-1 shrink-0 text-running"}
        />
        <span className="sr-only">{isNew ? text.created : text.edited}</span>
        <code className="min-w-0 font-mono text-xs break-all text-text underline decoration-line underline-offset-4">
          {path.startsWith(root) ? path.slice(root.length) : path}
        </code>
      </button>
    </li>
  );
}
