import { Refusal } from "../../domain/refusal.ts";
import type { TemplateView } from "./view-template.ts";

export function serverMissing({ template, missing }: TemplateView): Refusal {
  const names = missing.servers.map((server) => `"${server}"`).join(", ");
  return new Refusal("UPSTREAM_UNAVAILABLE", {
    en: [
      `The template ${template.id} needs the MCP server ${names}, which is not in mcpServers of the configuration.`,
      template.needs.help?.en ?? "Add the server to mcpServers, and run `kuromajutsu reload`.",
    ],
    ja: [
      `テンプレート ${template.id} には MCP サーバー ${names} が必要ですが、設定の mcpServers にありません。`,
      template.needs.help?.ja ?? "mcpServers に加えて、`kuromajutsu reload` を実行してください。",
    ],
  });
}
