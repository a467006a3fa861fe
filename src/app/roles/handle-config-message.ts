import * as z from "zod";
import { expectedHashShape, roleFieldsShape } from "../../contract/shapes/roles.ts";
import { Refusal } from "../../domain/refusal.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import type { Core, Identity } from "../core.ts";
import { revalidateRole } from "../health/validate-model.ts";
import { requirePerson } from "../people/require-person.ts";
import { updateRole } from "./update-role.ts";

/** Clients may name the role with either key. */
const which = { roleId: z.string().exactOptional(), id: z.string().exactOptional() };
const updateShape = roleFieldsShape.extend({ ...which, expectedHash: expectedHashShape });
const revalidateShape = z.object(which);

export type ConfigMessages = ReadonlyMap<
  string,
  (data: unknown, identity: Identity) => Promise<unknown>
>;

/** Messages that a dashboard may send on its WebSocket. */
export function configMessages(core: Core): ConfigMessages {
  return new Map([
    ["config:update_role", (data, identity) => update(core, identity, data)],
    ["config:revalidate_model", (data, identity) => revalidate(core, identity, data)],
  ]);
}

async function update(core: Core, identity: Identity, data: unknown): Promise<unknown> {
  requirePerson(identity, "admin");
  const { roleId, id, expectedHash, ...fields } = parse(updateShape, data);
  const { saved, edited } = await updateRole(core, {
    id: requireId(roleId ?? id),
    fields,
    ...(expectedHash !== undefined && { expectedHash }),
  });
  return { roleId: roleId ?? id, saved, hash: edited.hash };
}

async function revalidate(core: Core, identity: Identity, data: unknown): Promise<unknown> {
  requirePerson(identity, "operator");
  const { roleId, id } = parse(revalidateShape, data);
  return revalidateRole(core, requireId(roleId ?? id));
}

function parse<Shape extends z.ZodType>(shape: Shape, data: unknown): z.infer<Shape> {
  const result = shape.safeParse(data);
  if (result.success) return result.data;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      oneLine(z.prettifyError(result.error)),
      `Fields of a role: ${Object.keys(roleFieldsShape.shape).join(", ")}.`,
    ],
    ja: [
      oneLine(z.prettifyError(result.error)),
      `職種の項目: ${Object.keys(roleFieldsShape.shape).join(", ")}。`,
    ],
  });
}

function requireId(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: ["The message names no role.", "Send its id as roleId."],
    ja: ["メッセージに職種がありません。", "職種の ID を roleId で送ってください。"],
  });
}
