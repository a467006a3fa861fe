import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { TASK_PRIORITIES } from "../../../../src/contract/values.ts";
import { post } from "../../api/http.ts";
import { useHome } from "../../api/use-home.ts";
import { COMMON } from "../../i18n/common.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { useAction } from "../../ui/use-action.ts";
import { RehearsalNote } from "../roles/rehearsal-note.tsx";
import { FromTemplate } from "../templates/from-template.tsx";

const TEXTS = defineTexts({
  ja: {
    title: "新しいタスク",
    what: "何をしてほしいですか",
    placeholder: "例: 9月分の残業時間を集計して",
    help: "Ctrl/⌘ + Enter で送信。実行の前に、実行方針と実行ステップを確認できます。",
    directory: "作業ディレクトリ (省略可)",
    directoryHelp: (path: string) => `省略すると ${path} で作業します。`,
    priority: "優先度",
    auto: "自動で判断",
    send: "依頼する",
  },
  en: {
    title: "New task",
    what: "What do you need done?",
    placeholder: "For example: total the overtime hours for September",
    help: "Ctrl/⌘ + Enter to send. You review the prompt and the steps before anything runs.",
    directory: "Working directory (optional)",
    directoryHelp: (path) => `If left out: ${path}`,
    priority: "Priority",
    auto: "Automatic",
    send: "Request",
  },
});

export function NewTaskDialog({
  initialText,
  onClose,
}: {
  readonly initialText: string;
  readonly onClose: () => void;
}) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const navigate = useNavigate();
  const home = useHome().data?.workingDirectory ?? "";
  const [request, setRequest] = useState(initialText);
  const [directory, setDirectory] = useState("");
  const [priority, setPriority] = useState("auto");
  const create = useAction(async () => {
    const chosen = TASK_PRIORITIES.find((known) => known === priority);
    const task = await post("/api/tasks", {
      body: {
        text: request,
        ...(directory.trim() && { workingDirectory: directory.trim() }),
        ...(chosen && { priority: chosen }),
      },
    });
    onClose();
    await navigate({ to: "/tasks/$taskId", params: { taskId: task.taskId } });
  });
  const send = () => void (request.trim() !== "" && !create.isRunning && create.run());
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <RehearsalNote />
      <div className="flex flex-col gap-4">
        <FromTemplate onClose={onClose} />
        <Field
          label={text.what}
          value={request}
          onChange={setRequest}
          rows={5}
          placeholder={text.placeholder}
          help={text.help}
          onSubmit={send}
          autoFocus
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={text.directory}
            value={directory}
            onChange={setDirectory}
            placeholder={home}
            help={home === "" ? "" : text.directoryHelp(home)}
            mono
          />
          <Select
            label={text.priority}
            value={priority}
            onChange={setPriority}
            options={[
              { id: "auto", label: text.auto },
              { id: "low", label: common.priority.low },
              { id: "medium", label: common.priority.medium },
              { id: "high", label: common.priority.high },
            ]}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            look="violet"
            onPress={send}
            isDisabled={request.trim() === ""}
            isPending={create.isRunning}
          >
            {text.send}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
