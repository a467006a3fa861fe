import { textOf, type Fields } from "../../../../src/base/narrow.ts";
import type { SlackFile, SlackTeam } from "../shapes.ts";
import { addMessage, anId } from "../world.ts";
import { ApiError, writableChannel, type ApiCall, type Method } from "./method.ts";
import { wireFile } from "./wire.ts";

export const fileMethods: Readonly<Record<string, Method>> = {
  "files.getUploadURLExternal": {
    scopes: ["files:write"],
    run: ({ team, args, url }) => {
      if (args.number("length", 0) <= 0) throw new ApiError("invalid_arguments");
      const file = addFile(team, {
        name: args.need("filename"),
        mimetype: "text/plain",
        user: team.botUserId,
      });
      return { upload_url: `${url}/upload/v1/${team.id}/${file.id}`, file_id: file.id };
    },
  },
  "files.completeUploadExternal": { scopes: ["files:write"], run: completeUpload },
  "files.info": {
    scopes: ["files:read"],
    run: ({ team, args, url }) => {
      const file = team.files.get(args.need("file", "file_not_found"));
      if (!file?.isComplete) throw new ApiError("file_not_found");
      return { file: wireFile(team, file, url) };
    },
  },
};

type NewFile = Pick<SlackFile, "name" | "mimetype" | "user">;

export function addFile(team: SlackTeam, file: NewFile): SlackFile {
  const added: SlackFile = {
    ...file,
    id: anId("F"),
    channels: new Set(),
    content: Buffer.alloc(0),
    isComplete: false,
  };
  team.files.set(added.id, added);
  return added;
}

function completeUpload(call: ApiCall): Fields {
  const { team, args, world, url } = call;
  const named = args.list("files") ?? [];
  const files = named.map(({ id }) => {
    const file = team.files.get(textOf(id) ?? "");
    if (!file || file.content.length === 0) throw new ApiError("file_not_found");
    return file;
  });
  const channel = args.text("channel_id") ? writableChannel(call, "channel_id") : undefined;
  for (const file of files) {
    file.isComplete = true;
    if (channel) file.channels.add(channel.id);
  }
  const wire = files.map((file) => wireFile(team, file, url));
  if (channel) {
    addMessage(
      world,
      channel,
      { user: team.botUserId, botId: team.botId, threadTs: args.text("thread_ts") },
      { text: args.text("initial_comment") ?? "", files: wire },
    );
  }
  return { files: wire };
}
