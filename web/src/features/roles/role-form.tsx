import type { ReactNode } from "react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { useModels, useRoleTools } from "../../api/system.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CheckList } from "../../ui/check-list.tsx";
import { Field } from "../../ui/field.tsx";
import { AccessChoice } from "./access-choice.tsx";
import { type FieldErrors, type FieldName, type RoleDraft, textOf } from "./draft.ts";
import { FILE_TEXTS } from "./file-texts.ts";
import { IsolationChoice } from "./isolation-choice.tsx";
import { ModelFields } from "./model-fields.tsx";
import { shownModel } from "./model-options.ts";
import { RunnerField, runnersOf } from "./runner-field.tsx";
import { ServerTags } from "./server-tags.tsx";
import { TEXTS } from "./texts.ts";

export type RoleFormProps = {
  readonly role: RoleDetails;
  readonly draft: RoleDraft;
  readonly errors: FieldErrors;
  readonly isReadOnly: boolean;
};

export function RoleForm(props: RoleFormProps) {
  const { role, draft, errors, isReadOnly } = props;
  const models = useModels();
  const { values, set, conflicts } = draft;
  const runner = values.runner === "auto" ? role.runnerInUse : (runnersOf(values.runner)[0] ?? "");
  const conflictOf = (name: FieldName) =>
    conflicts.includes(name) && <Conflict value={textOf(role[name])} />;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <NameFields {...props} conflictOf={conflictOf} />
      <Card className="flex flex-col gap-4 p-4 overflow-visible">
        <div>
          <RunnerField
            configured={role.runner}
            value={values.runner}
            isReadOnly={isReadOnly}
            onChange={(value) => set("runner", value)}
          />
          {conflictOf("runner")}
        </div>
        <div>
          <ModelFields
            value={shownModel(values.model, role, runner)}
            runner={runner}
            isList={typeof values.runner !== "string"}
            models={(models.data?.models ?? []).filter((each) =>
              runnersOf(values.runner).includes(each.runner),
            )}
            error={errors.model}
            isReadOnly={isReadOnly}
            onChange={(value) => set("model", value)}
          />
          {conflictOf("model")}
        </div>
      </Card>
      <PromptFields {...props} conflictOf={conflictOf} />
      <Card className="flex flex-col gap-5 p-4 overflow-visible">
        <div>
          <AccessField draft={draft} isReadOnly={isReadOnly} />
          {conflictOf("access")}
        </div>
        <div>
          <IsolationField draft={draft} isReadOnly={isReadOnly} />
          {conflictOf("isolation")}
        </div>
        <div>
          <ToolsField draft={draft} isReadOnly={isReadOnly} />
          {conflictOf("tools")}
        </div>
        <div>
          <ServerTags
            value={values.mcpServers}
            isReadOnly={isReadOnly}
            onChange={(value) => set("mcpServers", value)}
          />
          {conflictOf("mcpServers")}
        </div>
      </Card>
    </div>
  );
}

type GroupProps = RoleFormProps & { readonly conflictOf: (name: FieldName) => ReactNode };

function NameFields(props: GroupProps) {
  const { role, draft, errors, isReadOnly, conflictOf } = props;
  const { values, set } = draft;
  const text = useTexts(TEXTS);
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={text.id}
          value={role.id}
          onChange={ignore}
          help={text.idHelp}
          isReadOnly
          mono
        />
        <div>
          <Field
            label={text.name}
            value={values.name}
            onChange={(value) => set("name", value)}
            error={errors.name}
            isReadOnly={isReadOnly}
          />
          {conflictOf("name")}
        </div>
      </div>
      <div>
        <Field
          label={text.description}
          value={values.description}
          onChange={(value) => set("description", value)}
          rows={2}
          help={text.descriptionHelp}
          error={errors.description}
          isReadOnly={isReadOnly}
        />
        {conflictOf("description")}
      </div>
    </Card>
  );
}

function PromptFields(props: GroupProps) {
  const { draft, errors, isReadOnly, conflictOf } = props;
  const { values, set } = draft;
  const text = useTexts(TEXTS);
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div>
        <Field
          label={text.systemPrompt}
          value={values.systemPrompt}
          onChange={(value) => set("systemPrompt", value)}
          rows={Math.min(20, Math.max(6, values.systemPrompt.split("\n").length + 2))}
          help={text.systemPromptHelp}
          error={errors.systemPrompt}
          isReadOnly={isReadOnly}
        />
        {conflictOf("systemPrompt")}
      </div>
      <div>
        <Field
          label={text.healthCheckPrompt}
          value={values.healthCheckPrompt}
          onChange={(value) => set("healthCheckPrompt", value)}
          rows={2}
          help={text.healthCheckPromptHelp}
          error={errors.healthCheckPrompt}
          isReadOnly={isReadOnly}
        />
        {conflictOf("healthCheckPrompt")}
      </div>
    </Card>
  );
}

function ignore(): void {}

function Conflict({ value }: { readonly value: string }): ReactNode {
  const text = useTexts(TEXTS);
  return (
    <p role="status" className="mt-1 text-xs text-timeout">
      {text.conflict(value.length > 200 ? `${value.slice(0, 200)}…` : value)}
    </p>
  );
}

type PartProps = { readonly draft: RoleDraft; readonly isReadOnly: boolean };

function AccessField({ draft: { values, set }, isReadOnly }: PartProps) {
  const text = useTexts(FILE_TEXTS);
  if (isReadOnly) {
    return (
      <Field
        label={text.access}
        value={text.accessWords[values.access]}
        onChange={ignore}
        isReadOnly
      />
    );
  }
  return <AccessChoice value={values.access} onChange={(id) => set("access", id)} />;
}

function IsolationField({ draft: { values, set }, isReadOnly }: PartProps) {
  const text = useTexts(FILE_TEXTS);
  if (isReadOnly) {
    return (
      <Field
        label={text.isolation}
        value={text.isolationWords[values.isolation]}
        onChange={ignore}
        isReadOnly
      />
    );
  }
  return <IsolationChoice value={values.isolation} onChange={(id) => set("isolation", id)} />;
}

function ToolsField({ draft: { values, set }, isReadOnly }: PartProps) {
  const text = useTexts(TEXTS);
  const tools = useRoleTools();
  const known = tools.data?.tools ?? [];
  const gone = values.tools.filter((id) => !known.some((tool) => tool.id === id));
  const options = [
    ...known.map(({ id, name, description }) => ({
      id,
      label: name === id ? id : `${name} (${id})`,
      note: description,
    })),
    ...gone.map((id) => ({ id, label: id })),
  ];
  if (options.length === 0) return <p className="text-text-3">{text.noTools}</p>;
  return (
    <CheckList
      label={text.tools}
      help={text.toolsHelp}
      value={values.tools}
      options={options}
      isReadOnly={isReadOnly}
      onChange={(value) => set("tools", [...value])}
    />
  );
}
