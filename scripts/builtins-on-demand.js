/**
 * An `import` of a built-in module reads all its exports, also those that are loaded lazily: `node:http`
 * loads undici (20 ms), `node:crypto` loads WebCrypto (4 ms). A client would wait for that at every start.
 * `process.getBuiltinModule` with named properties loads only what is used.
 */
export function builtinsOnDemand() {
  return {
    name: "builtins-on-demand",
    renderChunk(code) {
      const changed = code.replaceAll(IMPORT, (_, clause, module) => toConstants(clause, module));
      const left = /^(?:import|export)\b[^;]*?from\s*"node:.*$/m.exec(changed);
      if (left) throw new Error(`builtins-on-demand does not know this form: ${left[0]}`);
      return changed;
    },
  };
}

const IMPORT = /^import\s+(?:([^"';]+?)\s+from\s+)?"(node:[\w/]+)";?$/gm;

function toConstants(clause, module) {
  if (clause === undefined) return "";
  const from = `globalThis.process.getBuiltinModule("${module}")`;
  const [, whole, names] = /^(?:(?:\* as )?([\w$]+))?,?\s*(\{[^}]*\})?$/.exec(clause) ?? [];
  const parts = [];
  if (whole !== undefined) parts.push(`const ${whole} = ${from};`);
  if (names !== undefined) parts.push(`const ${names.replaceAll(" as ", ": ")} = ${from};`);
  if (parts.length === 0) throw new Error(`builtins-on-demand does not know: import ${clause}`);
  return parts.join(" ");
}
