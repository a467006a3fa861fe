/** The most bytes of a transcript in one chunk, before compression. */
export const MAX_CHUNK_BYTES = 64 * 1024;
