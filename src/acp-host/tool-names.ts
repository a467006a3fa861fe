/** The forms in which CLIs show a tool of our MCP server; the plain name is what people know. */
const OWN_PREFIX = /^(?:mcp__|mcp_|mcp\.)?kuromajutsu(?:__|_|\.|: ?|\/)/;
const OWN_SUFFIX = / \(kuromajutsu MCP Server\)$/;

export function isOwnTool(title: string): boolean {
  return OWN_PREFIX.test(title) || OWN_SUFFIX.test(title);
}

export function plainToolName(title: string): string {
  return title.replace(OWN_PREFIX, "").replace(OWN_SUFFIX, "");
}
