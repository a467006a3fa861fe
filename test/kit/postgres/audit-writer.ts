import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";

/**
 * Appends to the audit from several transactions at once, until it is killed. Prints the subject of
 * every entry that was committed.
 *   node audit-writer.ts <url> <name> <writers>
 */
const [url = "", name = "", writers = "1"] = process.argv.slice(2);
const store = await openPostgresStore({ url });

async function write(writer: number): Promise<never> {
  for (let entry = 0; ; entry++) {
    const subject = `${name}.${writer}.${entry}`;
    await store.transaction((unit) =>
      unit.appendAudit({ at: Date.now(), actor: name, action: "test", subject, data: { entry } }),
    );
    process.stdout.write(`${subject}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)));
