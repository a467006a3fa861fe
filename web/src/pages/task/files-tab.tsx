import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FilePenLine, FilePlus2 } from "lucide-react";
import { get } from "../../api/http.ts";
import type { TaskDetail } from "../../api/task-detail.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Loading } from "../../kit/notes.tsx";
import { TASK } from "./texts.ts";

type Files = {
  readonly agentId: string;
  readonly workingDirectory: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
};

const MOST_AGENTS = 40;
const MOST_FILES = 500;

/** What the task's agents have written, as observed and as they reported. */
export function FilesTab({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const found = useQueries({
    queries: task.agents.slice(-MOST_AGENTS).map(({ agentId, status }) => ({
      // One that has ended writes nothing more.
      queryKey: ["agent", agentId, "files", status],
      queryFn: () => get<Files>(`/api/agents/${encodeURIComponent(agentId)}/files`),
    })),
  });
  if (found.some(({ isPending }) => isPending)) return <Loading />;
  const writers = found.flatMap(({ data }) =>
    data && data.editedFiles.length + data.createdFiles.length > 0 ? [data] : [],
  );
  if (writers.length === 0) return <p className="py-4 text-text-3">{text.noFiles}</p>;
  return (
    <ul className="flex max-h-[32rem] flex-col gap-3 overflow-y-auto">
      {writers.map((files) => (
        <li key={files.agentId}>
          <Link
            to="/agents/$agentId"
            params={{ agentId: files.agentId }}
            className="font-mono text-xs text-violet hover:underline"
          >
            {files.agentId}
          </Link>
          <ul className="mt-1 flex flex-col gap-0.5">
            {files.createdFiles.slice(0, MOST_FILES).map((path) => (
              <File key={`+${path}`} path={path} isNew />
            ))}
            {files.editedFiles.slice(0, MOST_FILES).map((path) => (
              <File key={path} path={path} isNew={false} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function File({ path, isNew }: { readonly path: string; readonly isNew: boolean }) {
  const text = useTexts(TASK);
  const Icon = isNew ? FilePlus2 : FilePenLine;
  return (
    <li className="flex items-start gap-2">
      <Icon size={13} aria-hidden className={isNew ? "mt-1 text-success" : "mt-1 text-running"} />
      <span className="sr-only">{isNew ? text.created : text.edited}</span>
      <code className="min-w-0 font-mono text-xs">{path}</code>
    </li>
  );
}
