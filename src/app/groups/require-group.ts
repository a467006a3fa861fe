import type { Group, GroupMode } from "../../domain/groups/group.ts";
import { Refusal } from "../../domain/refusal.ts";
import { statusInJapanese } from "../../domain/status-words.ts";
import type { Queries } from "../ports/store.ts";

type GroupQueries = Pick<Queries, "getGroup">;

export async function requireGroup(queries: GroupQueries, id: string): Promise<Group> {
  const group = await queries.getGroup(id);
  if (group) return group;
  throw new Refusal("GROUP_NOT_FOUND", {
    en: [`There is no group ${id}.`, "Call create_group first and use the groupId it returns."],
    ja: [
      `グループ ${id} はありません。`,
      "先に create_group を呼び、返された groupId を使ってください。",
    ],
  });
}

export async function requireActiveGroup(
  queries: GroupQueries,
  id: string,
  mode?: GroupMode,
): Promise<Group> {
  const group = await requireGroup(queries, id);
  if (group.status !== "active") {
    throw new Refusal("GROUP_NOT_ACTIVE", {
      en: [`Group ${group.id} is ${group.status}.`, "Create a new group with create_group."],
      ja: [
        `グループ ${group.id} は${statusInJapanese(group.status)}です。`,
        "create_group で新しいグループを作ってください。",
      ],
    });
  }
  if (mode !== undefined && group.mode !== mode) {
    throw new Refusal("MODE_MISMATCH", {
      en: [
        `Group ${group.id} is ${group.mode}, not ${mode}.`,
        `Make a group with create_group(mode: "${mode}").`,
      ],
      ja: [
        `グループ ${group.id} のモードは ${group.mode} で、${mode} ではありません。`,
        `create_group(mode: "${mode}") でグループを作ってください。`,
      ],
    });
  }
  return group;
}
