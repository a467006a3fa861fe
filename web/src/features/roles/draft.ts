import { useState } from "react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import type { RoleWords } from "./texts.ts";

export const FIELDS = [
  "name",
  "description",
  "runner",
  "model",
  "access",
  "isolation",
  "systemPrompt",
  "healthCheckPrompt",
  "tools",
  "mcpServers",
] as const;
export type FieldName = (typeof FIELDS)[number];
export type RoleValues = Pick<RoleDetails, FieldName>;

type Draft = {
  readonly values: Partial<RoleValues>;
  /** The value of each field when its editing began. */
  readonly seen: Partial<Record<FieldName, string>>;
};

const NOTHING: Draft = { values: {}, seen: {} };

/** Keeps only changed fields, so that other people's changes to the rest show up. */
export function useRoleDraft(role: RoleDetails) {
  const [draft, setDraft] = useState(NOTHING);
  function set<Name extends FieldName>(name: Name, value: RoleValues[Name]): void {
    setDraft(({ values, seen }) => {
      const { [name]: _value, ...otherValues } = values;
      const { [name]: _seen, ...otherSeen } = seen;
      if (same(value, role[name])) return { values: otherValues, seen: otherSeen };
      return {
        values: { ...values, [name]: value },
        seen: { ...seen, [name]: seen[name] ?? textOf(role[name]) },
      };
    });
  }
  const changed = FIELDS.filter(
    (name) => name in draft.values && !same(draft.values[name], role[name]),
  );
  return {
    values: { ...role, ...draft.values },
    changed,
    /** Fields that were changed elsewhere during editing. */
    conflicts: changed.filter((name) => draft.seen[name] !== textOf(role[name])),
    body: Object.fromEntries(changed.map((name) => [name, draft.values[name]])),
    set,
    discard: () => setDraft(NOTHING),
  };
}
export type RoleDraft = ReturnType<typeof useRoleDraft>;

function same(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type FieldErrors = Partial<Record<FieldName | "id", string>>;

const MODEL = /^[^-\s][^\r\n]*$/;
const ROLE_ID = /^[a-z0-9][a-z0-9-]{0,39}$/;
const ALLOWED = /^(?:\*|[A-Za-z0-9][A-Za-z0-9_-]{0,39}(?:\/\S{1,200})?)$/;

export function isRoleId(id: string): boolean {
  return ROLE_ID.test(id);
}

export function isAllowed(entry: string): boolean {
  return ALLOWED.test(entry);
}

/** Checks in the browser what the daemon would refuse. */
export function errorsOf(values: Partial<RoleValues>, words: RoleWords["errors"]): FieldErrors {
  const errors: FieldErrors = {};
  for (const name of ["name", "description", "systemPrompt", "healthCheckPrompt"] as const) {
    const value = values[name];
    if (value !== undefined && value.trim() === "") errors[name] = words.empty;
  }
  const { model } = values;
  if (typeof model === "string") {
    if (!MODEL.test(model)) errors.model = model.trim() === "" ? words.empty : words.model;
  } else if (model !== undefined) {
    const names = Object.values(model);
    if (names.length === 0) errors.model = words.modelNone;
    else if (names.some((name) => !MODEL.test(name))) errors.model = words.model;
  }
  return errors;
}
