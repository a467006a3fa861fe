/** The limit of one JSON-RPC message: twenty prompts of 2 MB, with room for escaping. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
