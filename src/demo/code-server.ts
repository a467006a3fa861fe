/**
 * The MCP server of the coding story of `kuromajutsu demo`: compares the copies in which agents worked
 * with the project, and merges them. It only reads and writes the folder that it is started in.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const COPIES = "copies";

/** Both languages: the browser and the terminal of a person may speak different ones. */
const both = (ja: string, en: string): string => `${ja} / ${en}`;

const change = z.object({ file: z.string(), agent: z.string(), content: z.string() });
type Change = z.infer<typeof change>;

/** What the copies have that the project does not have. */
function changesOf(): readonly Change[] {
  return readdirSync(COPIES).flatMap((agent) =>
    filesIn(join(COPIES, agent)).flatMap((file) => {
      const content = readFileSync(join(COPIES, agent, file), "utf8");
      const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
      return content === before ? [] : [{ file, agent, content }];
    }),
  );
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

function conflictsIn(changes: readonly Change[]) {
  return [...Map.groupBy(changes, ({ file }) => file)]
    .filter(([, versions]) => versions.length > 1)
    .map(([file, versions]) => ({ file, agents: versions.map(({ agent }) => agent) }));
}

/** The result also as text, for clients that do not read structured content. */
function answer(structuredContent: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text" as const, text }], structuredContent };
}

function createServer(): McpServer {
  const server = new McpServer({ name: "demo-code", version: "1.0.0" });
  server.registerTool(
    "compare_changes",
    {
      title: both("変更を比べる", "Compare the changes"),
      description: both(
        "3 体のエージェントの変更を比べ、同じファイルへの変更 (競合) を報告します。",
        "Compares the changes of the three agents and reports files that several of them changed.",
      ),
      inputSchema: z.object({}),
      outputSchema: z.object({
        changes: z.array(change),
        conflicts: z.array(z.object({ file: z.string(), agents: z.array(z.string()) })),
      }),
      annotations: { readOnlyHint: true },
    },
    () => {
      const changes = changesOf();
      return answer({ changes, conflicts: conflictsIn(changes) });
    },
  );
  server.registerTool(
    "merge_changes",
    {
      title: both("変更を取り込む", "Merge the changes"),
      description: both(
        "変更をプロジェクトに書き込みます。競合したファイルは、人が選んだエージェントの版にします。",
        "Writes the changes into the project; where they conflict, those of the agent that a person chose.",
      ),
      inputSchema: z.object({
        answer: z.string().describe(both("人の答え", "The answer of the person")),
      }),
      outputSchema: z.object({ written: z.array(z.string()), kept: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ answer: chosen }) => merge(chosen.split(":", 1)[0] ?? ""),
  );
  return server;
}

function merge(kept: string) {
  const changes = changesOf();
  const conflicting = new Set(conflictsIn(changes).map(({ file }) => file));
  if (conflicting.size > 0 && !changes.some(({ agent }) => agent === kept)) {
    const text = both(
      `「${kept}」というエージェントの変更はありません。`,
      `There are no changes of an agent “${kept}”.`,
    );
    return { content: [{ type: "text" as const, text }], isError: true };
  }
  const merged = changes.filter(({ file, agent }) => !conflicting.has(file) || agent === kept);
  for (const { file, content } of merged) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return answer({ written: merged.map(({ file, agent }) => `${file} (${agent})`), kept });
}

serveStdio(createServer);
