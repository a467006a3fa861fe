import type { Insertable, Selectable } from "kysely";
import type { Group, Magentic, Stages } from "../../../../domain/groups/group.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { GroupTable } from "../engine/tables.ts";

const STAGES = jsonColumn<Stages>();
const MAGENTIC = jsonColumn<Magentic>();

export function toGroupRow(group: Group): Insertable<GroupTable> {
  return {
    id: group.id,
    description: group.description,
    mode: group.mode,
    status: group.status,
    parent_group_id: group.parentGroupId,
    orchestrator_agent_id: group.orchestratorAgentId,
    stages: group.stages && STAGES.write(group.stages),
    magentic: group.magentic && MAGENTIC.write(group.magentic),
    created_at: group.createdAt,
    deleted_at: group.deletedAt,
    version: group.version,
  };
}

export function toGroup(row: Selectable<GroupTable>): Group {
  return {
    id: row.id,
    description: row.description,
    mode: row.mode,
    status: row.status,
    parentGroupId: row.parent_group_id,
    orchestratorAgentId: row.orchestrator_agent_id,
    stages: row.stages === null ? null : STAGES.read(row.stages),
    magentic: row.magentic === null ? null : MAGENTIC.read(row.magentic),
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    version: row.version,
  };
}
