import {
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type Server,
} from "@modelcontextprotocol/server";
import { PNG } from "./samples.ts";

const resources: readonly Resource[] = [
  { uri: "test://static-text", name: "Static text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "Static binary", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "Watched", mimeType: "text/plain" },
];

/** We have no resources; these test that our server supports them. */
export function addResources(server: Server): void {
  server.registerCapabilities({ resources: { subscribe: true } });
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "Template",
        mimeType: "application/json",
      },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params }) => read(params.uri));
  // The suite only checks the answers; our resources never change.
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function read(uri: string): ReadResourceResult {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return {
      contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }],
    };
  }
  const known = resources.find((resource) => resource.uri === uri);
  if (!known) throw new ResourceNotFoundError(uri);
  if (known.mimeType === "image/png") {
    return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
  }
  return {
    contents: [
      { uri, mimeType: "text/plain", text: "This is the content of the static text resource." },
    ],
  };
}
