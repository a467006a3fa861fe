import { fieldsOf, isRecord } from "../../base/narrow.ts";
import { BUILTIN_ROLE_IDS } from "../../domain/roles/builtin-roles.ts";
import { BUILTIN_TOOLS } from "../../domain/roles/builtin-tools.ts";
import { INTERNAL_ROLES } from "../../domain/roles/internal-role.ts";
import { nearest } from "../../domain/text/nearest.ts";
import { checkAlerts } from "./check-alerts.ts";
import { checkPeople } from "./check-people.ts";
import { checkSlackPeople } from "./check-slack-people.ts";
import { checkStore } from "./check-store.ts";
import { checkWorkspace } from "./check-workspace.ts";
import { didYouMean, THERE_ARE, type SettingProblem } from "./explain-issue.ts";

/** The fields that a new role must have; a built-in role has them already. */
const NEEDED = ["name", "description", "model", "systemPrompt"];
const KNOWN_ROLES: readonly string[] = [...BUILTIN_ROLE_IDS, ...INTERNAL_ROLES];

/**
 * Checks across entries, which the schema cannot do. Works on the raw data, so that these problems
 * are reported together with those of the schema.
 */
export function checkReferences(value: unknown): readonly SettingProblem[] {
  const roles = entriesOf(value, "roles");
  const tools = entriesOf(value, "tools");
  const servers = Object.keys(fieldsOf(fieldsOf(value)["mcpServers"]));
  const auth = isRecord(value) ? value["auth"] : undefined;
  const toolIds = [...BUILTIN_TOOLS.map((tool) => tool.id), ...tools.flatMap(idOf)];
  return [
    ...doubleIds(["roles"], roles),
    ...doubleIds(["tools"], tools),
    ...doubleIds(["auth", "users"], entriesOf(auth, "users")),
    ...checkPeople(value),
    ...checkAlerts(value),
    ...checkSlackPeople(value),
    ...checkStore(value),
    ...checkWorkspace(value),
    ...roles.flatMap((role, index) => missingFields(role, index)),
    ...roles.flatMap((role, index) => unknownTools(role, index, toolIds)),
    ...roles.flatMap((role, index) => mistypedServers(role, index, servers)),
  ];
}

type Entry = Readonly<Record<string, unknown>> | undefined;

/** Keeps the positions: an entry that is not a map is undefined. */
function entriesOf(value: unknown, key: string): readonly Entry[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list)
    ? list.map((item: unknown) => (isRecord(item) ? item : undefined))
    : [];
}

function idOf(entry: Entry): readonly string[] {
  return typeof entry?.["id"] === "string" ? [entry["id"]] : [];
}

function doubleIds(path: readonly string[], entries: readonly Entry[]): readonly SettingProblem[] {
  const list = path.join(".");
  const firsts = new Map<string, number>();
  return entries.flatMap((entry, index) =>
    idOf(entry).flatMap((id) => {
      const first = firsts.get(id);
      if (first === undefined) {
        firsts.set(id, index);
        return [];
      }
      const text = {
        en: `${list}[${index}].id: "${id}" is already the id of ${list}[${first}]; each id may appear once`,
        ja: `${list}[${index}].id: 「${id}」は ${list}[${first}] の ID です。同じ ID は 1 度しか使えません。`,
      };
      return [{ path: [...path, index, "id"], text }];
    }),
  );
}

function missingFields(role: Entry, index: number): readonly SettingProblem[] {
  return idOf(role)
    .filter((id) => !KNOWN_ROLES.includes(id))
    .flatMap((id) => {
      const missing = NEEDED.filter((field) => role?.[field] === undefined);
      if (missing.length === 0) return [];
      const near = nearest(id, KNOWN_ROLES);
      const hint =
        near === undefined
          ? { en: "", ja: "" }
          : {
              en: ` (or did you mean the built-in role "${near}"?)`,
              ja: `（組み込みの職種「${near}」の間違いではありませんか?）`,
            };
      const text = {
        en: `roles[${index}]: "${id}" is not a built-in role, so it needs ${missing.join(", ")}${hint.en}`,
        ja: `roles[${index}]: 「${id}」は組み込みの職種ではないので、${missing.join(", ")} が必要です。${hint.ja}`,
      };
      return [{ path: ["roles", index], text }];
    });
}

function unknownTools(
  role: Entry,
  index: number,
  known: readonly string[],
): readonly SettingProblem[] {
  const tools: readonly unknown[] = Array.isArray(role?.["tools"]) ? role["tools"] : [];
  return tools.flatMap((tool, at) => {
    if (typeof tool !== "string" || known.includes(tool)) return [];
    const similar = didYouMean(tool, known, THERE_ARE);
    const text = {
      en: `roles[${index}].tools[${at}]: no role tool has the id "${tool}"; ${similar.en}`,
      ja: `roles[${index}].tools[${at}]: ID「${tool}」の職種ツールはありません。${similar.ja}`,
    };
    return [{ path: ["roles", index, "tools", at], text }];
  });
}

/**
 * `server`, `server/tool` or `*`. Only a name that looks mistyped is refused: a role may name a server
 * that another file has, and earlier versions accepted any name.
 */
function mistypedServers(
  role: Entry,
  index: number,
  known: readonly string[],
): readonly SettingProblem[] {
  const named: readonly unknown[] = Array.isArray(role?.["mcpServers"]) ? role["mcpServers"] : [];
  return named.flatMap((name, at) => {
    const [server = ""] = typeof name === "string" ? name.split("/") : [];
    const near = known.includes(server) ? undefined : nearest(server, known);
    if (near === undefined) return [];
    const text = {
      en: `roles[${index}].mcpServers[${at}]: no MCP server has the name "${server}"; did you mean "${near}"?`,
      ja: `roles[${index}].mcpServers[${at}]: 「${server}」という MCP サーバーはありません。「${near}」の間違いではありませんか?`,
    };
    return [{ path: ["roles", index, "mcpServers", at], text }];
  });
}
