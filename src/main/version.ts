/** Checked against package.json by a test; a constant, so that the shim reads no file for it. */
export const VERSION = "0.1.0";
