import { useState } from "react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { errorsOf, isRoleId } from "./draft.ts";
import { TEXTS } from "./texts.ts";

export const NEW_ROLE = defineTexts({
  ja: { missing: (names: string) => `未入力: ${names}` },
  en: { missing: (names) => `Still empty: ${names}` },
});

type NewRole = Pick<
  RoleDetails,
  "id" | "name" | "description" | "systemPrompt" | "access" | "mcpServers"
> & {
  readonly model: string;
  /** null: the runner of `agent.runner`, as for roles that name none. */
  readonly runner: RoleDetails["runner"] | null;
};

const NOTHING: NewRole = {
  id: "",
  name: "",
  description: "",
  model: "",
  systemPrompt: "",
  runner: null,
  access: "read-write",
  mcpServers: [],
};

/** The role that a person is making: its values, what is wrong with them, and the body to send. */
export function useNewRole() {
  const text = useTexts(TEXTS);
  const [values, setValues] = useState(NOTHING);
  const { id, name, description, model, systemPrompt, runner, access, mcpServers } = values;
  const written = { name, description, model, systemPrompt };
  function set<Name extends keyof NewRole>(field: Name, value: NewRole[Name]): void {
    setValues((before) => ({ ...before, [field]: value }));
  }
  const idError = useIdError(id);
  const errors = errorsOf({ model: model || "x" }, text.errors);
  const missing = [
    ...(id === "" ? [text.newId] : []),
    ...(["name", "description", "model", "systemPrompt"] as const)
      .filter((field) => written[field].trim() === "")
      .map((field) => text.fields[field]),
  ];
  return {
    values,
    set,
    idError,
    modelError: model === "" ? undefined : errors.model,
    /** The names of the fields that are still empty. */
    missing,
    isReady: missing.length === 0 && !idError && !errors.model,
    body: {
      id,
      ...written,
      access,
      ...(runner !== null && { runner }),
      ...(mcpServers.length > 0 && { mcpServers }),
    },
  };
}

export function useIdError(id: string): string | undefined {
  const { errors } = useTexts(TEXTS);
  const isTaken = useLive(({ roles }) => roles.some((role) => role.id === id));
  if (id === "") return undefined;
  if (!isRoleId(id)) return errors.id;
  return isTaken ? errors.idTaken : undefined;
}
