import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import type { WireTemplate } from "../../../../src/contract/shapes/templates.ts";
import { TASK_PRIORITIES } from "../../../../src/contract/values.ts";
import { post } from "../../api/http.ts";
import { useMe } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import type { Locale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";
import { toast } from "../../ui/toast.tsx";
import { useAction } from "../../ui/use-action.ts";
import { ChangeDialog } from "../roles/change-dialog.tsx";
import { TEXTS } from "./texts.ts";
import { isComplete, ValueFields, type Values } from "./value-fields.tsx";

export type UsePanelProps = {
  readonly template: WireTemplate;
  readonly locale: Locale;
  readonly values: Values;
  readonly onValues: (values: Values) => void;
};

/** The form of a template, and the button that starts it. */
export function UsePanel({ template, locale, values, onValues }: UsePanelProps) {
  const text = useTexts(TEXTS);
  const [directory, setDirectory] = useState("");
  const [priority, setPriority] = useState<string>(template.priority ?? "auto");
  const [hasRead, setRead] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const navigate = useNavigate();
  const refused = useRefusal(template);
  const body = { values: given(values), locale, hasReadUntrusted: hasRead };
  const start = useAction(async () => {
    const chosen = TASK_PRIORITIES.find((known) => known === priority);
    const { task, group } = await post("/api/templates/{id}/use", {
      params: { id: template.id },
      body: {
        ...body,
        ...(directory.trim() && { workingDirectory: directory.trim() }),
        ...(chosen && { priority: chosen }),
      },
    });
    if (task) await navigate({ to: "/tasks/$taskId", params: { taskId: task.taskId } });
    if (group) await navigate({ to: "/groups/$groupId", params: { groupId: group.groupId } });
  });
  const isReady =
    isComplete(template, values) &&
    (template.isTrusted || hasRead) &&
    template.missing.servers.length === 0;
  return (
    <Card className="flex flex-col gap-4 p-4">
      <h2 className="text-[15px] font-bold">{text.values}</h2>
      <ValueFields template={template} locale={locale} values={values} onChange={onValues} />
      {template.kind !== "role" && (
        <Field label={text.directory} value={directory} onChange={setDirectory} mono />
      )}
      {template.kind === "task" && <Priority value={priority} onChange={setPriority} />}
      {!template.isTrusted && (
        <Switch
          label={text.readUntrusted}
          note={text.readUntrustedNote}
          isOn={hasRead}
          onChange={setRead}
        />
      )}
      {refused ? (
        <p className="text-text-2">{refused}</p>
      ) : (
        <div className="flex flex-col gap-1.5">
          <Button
            look="violet"
            size="large"
            icon={<Play size={16} aria-hidden />}
            isDisabled={!isReady}
            isPending={start.isRunning}
            onPress={() => (template.kind === "role" ? setAdding(true) : void start.run())}
          >
            {text.start[template.kind]}
          </Button>
          <p className="text-xs text-text-3">{text.startHelp[template.kind]}</p>
        </div>
      )}
      {isAdding && <AddRole template={template} body={body} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function Priority(props: { readonly value: string; readonly onChange: (id: string) => void }) {
  const text = useTexts(TEXTS);
  const { priority } = useTexts(COMMON);
  const levels = TASK_PRIORITIES.map((id) => ({ id, label: priority[id] }));
  return (
    <Select
      label={text.priority}
      {...props}
      options={[{ id: "auto", label: text.auto }, ...levels]}
    />
  );
}

function AddRole(props: {
  readonly template: WireTemplate;
  readonly body: {
    readonly values: Values;
    readonly locale: Locale;
    readonly hasReadUntrusted: boolean;
  };
  readonly onClose: () => void;
}) {
  const { template, body, onClose } = props;
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const roleId = template.texts[0]?.role ?? template.id;
  return (
    <ChangeDialog
      title={text.roleTitle(template.name[body.locale])}
      change={`template ${template.id} ${JSON.stringify(body)}`}
      send={async (hash, dryRun) => {
        const { role } = await post("/api/templates/{id}/use", {
          params: { id: template.id },
          body: { ...body, values: { ...body.values }, ...hash, dryRun },
        });
        if (!role) throw new Error("The daemon did not answer with a role.");
        return { ...role, role: null };
      }}
      confirm={text.start.role}
      onClose={onClose}
      onDone={() => {
        toast({ kind: "info", title: text.roleAdded(roleId) });
        void navigate({ to: "/roles/$roleId", params: { roleId } });
      }}
    />
  );
}

/** Why this person may not use the template; null: the person may. */
function useRefusal({ kind }: WireTemplate): string | null {
  const text = useTexts(TEXTS);
  const role = useMe()?.role;
  if (role === "viewer") return text.onlyOperator;
  return kind === "role" && role === "operator" ? text.onlyAdmin : null;
}

function given(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, said]) => said.trim() !== ""));
}
