import type { ToolPin } from "../../../../app/ports/task-store.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Db } from "../engine/tables.ts";

const DEFINITION = jsonColumn<ToolPin["definition"]>();

export async function listToolPins(db: Db): Promise<readonly ToolPin[]> {
  const rows = await db
    .selectFrom("tool_pins")
    .selectAll()
    .orderBy("server")
    .orderBy("tool")
    .execute();
  return rows.map(({ accepted_by, definition, ...pin }) => ({
    ...pin,
    definition: DEFINITION.read(definition),
    acceptedBy: accepted_by,
  }));
}

export async function putToolPin(db: Db, pin: ToolPin): Promise<void> {
  const accepted = {
    hash: pin.hash,
    definition: DEFINITION.write(pin.definition),
    accepted_by: pin.acceptedBy,
    at: pin.at,
  };
  await db
    .insertInto("tool_pins")
    .values({ server: pin.server, tool: pin.tool, ...accepted })
    .onConflict((conflict) => conflict.columns(["server", "tool"]).doUpdateSet(accepted))
    .execute();
}
