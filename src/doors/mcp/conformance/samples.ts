import type {
  AudioContent,
  CallToolResult,
  EmbeddedResource,
  ImageContent,
  TextContent,
} from "@modelcontextprotocol/server";

/** One red pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A header with no sound after it. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export const image: ImageContent = { type: "image", data: PNG, mimeType: "image/png" };
export const audio: AudioContent = { type: "audio", data: WAV, mimeType: "audio/wav" };

export function text(content: string): TextContent {
  return { type: "text", text: content };
}

export function embedded(uri: string, content: string, mimeType = "text/plain"): EmbeddedResource {
  return { type: "resource", resource: { uri, mimeType, text: content } };
}

export function say(content: string): CallToolResult {
  return { content: [text(content)] };
}
