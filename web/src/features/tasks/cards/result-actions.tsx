import { Braces, Download, FileText, Sheet } from "lucide-react";
import type { WireExecution } from "../../../../../src/contract/shapes/executions.ts";
import type { TaskDetail } from "../../../api/task-detail.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { csvText } from "../../../text/csv.ts";
import { markdownTable } from "../../../text/markdown-table.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Menu, type MenuAction } from "../../../ui/menu.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { SHARE } from "../detail/share-texts.ts";

export type ResultActionsProps = {
  readonly task: TaskDetail;
  readonly execution: WireExecution;
};

/** Copies or saves the result: as Markdown, as JSON, and its first table as CSV. */
export function ResultActions({ task, execution }: ResultActionsProps) {
  const text = useTexts(SHARE);
  const { summary, response } = execution;
  const body = response ?? summary ?? "";
  if (body === "") return null;
  const table = markdownTable(body);
  const name = `${task.taskId}-${execution.attempt}`;
  const icon = { size: 14, "aria-hidden": true } as const;
  const actions: readonly MenuAction[] = [
    {
      id: "md",
      label: text.markdown,
      icon: <FileText {...icon} />,
      run: () => saveFile(`${name}.md`, "text/markdown;charset=utf-8", [markdownOf(task, body)]),
    },
    {
      id: "json",
      label: text.json,
      icon: <Braces {...icon} />,
      run: () =>
        saveFile(`${name}.json`, "application/json", [
          JSON.stringify(jsonOf(task, execution), null, 2),
        ]),
    },
    ...(table
      ? [
          {
            id: "csv",
            label: text.csv,
            icon: <Sheet {...icon} />,
            run: () => saveFile(`${name}.csv`, "text/csv;charset=utf-8", [csvText(table)]),
          },
        ]
      : []),
  ];
  return (
    <div className="flex flex-wrap gap-2">
      <CopyButton text={body}>{text.copyResult}</CopyButton>
      <Menu
        label={text.download}
        trigger={
          <Button size="small" icon={<Download size={13} aria-hidden />}>
            {text.download}
          </Button>
        }
        actions={actions}
      />
    </div>
  );
}

function markdownOf({ title, request }: TaskDetail, body: string): string {
  return `# ${(title ?? request.split("\n", 1)[0] ?? "").trim()}\n\n${body.trim()}\n`;
}

function jsonOf(task: TaskDetail, execution: WireExecution) {
  const { taskId, title, request, status, requester, createdAt, endedAt } = task;
  const { attempt, summary, response, error, steps } = execution;
  return {
    taskId,
    title,
    request,
    status,
    requester,
    createdAt,
    endedAt,
    attempt,
    summary,
    response,
    error,
    steps,
  };
}
