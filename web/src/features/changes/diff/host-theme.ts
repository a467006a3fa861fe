type Host = {
  readonly shadowRoot: ShadowRoot;
  readonly currentNode: HTMLStyleElement | undefined;
  readonly themeCSS: string;
};

/**
 * The colours of the dashboard for what the themes do not colour. Also, the line above a hunk never
 * wraps: without the first rule a diff whose lines wrap could still be scrolled to the side.
 */
const OWN_CSS = `
[data-overflow=wrap] [data-code] { --diffs-overflow-override: clip; }
:host {
  --diffs-bg-separator-override: var(--color-raised);
  --diffs-bg-selection-override: color-mix(in srgb, var(--color-violet-solid) 70%, var(--color-base));
  --diffs-bg-selection-number-override: var(--color-violet-solid);
}
[data-separator=metadata] [data-separator-wrapper] {
  font-family: var(--font-mono);
  font-size: 12px;
}
[data-column-number] { --diffs-selection-number-fg: var(--color-text); }
[data-utility-button] {
  background-color: var(--color-violet-solid);
  color: var(--color-on-solid);
}
`;

/**
 * In the place of the same function of @pierre/diffs (web/vite.config.ts): its style element has no
 * nonce, so our content security policy would block the colours of the theme.
 */
export function upsertHostThemeStyle({
  shadowRoot,
  currentNode,
  themeCSS,
}: Host): HTMLStyleElement | undefined {
  if (themeCSS.trim() === "") {
    currentNode?.remove();
    return undefined;
  }
  const node = currentNode ?? styleElement();
  const css = themeCSS + OWN_CSS;
  if (node.textContent !== css) node.textContent = css;
  if (node.parentNode !== shadowRoot) shadowRoot.append(node);
  return node;
}

function styleElement(): HTMLStyleElement {
  const node = document.createElement("style");
  node.setAttribute("data-theme-css", "");
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  if (meta) node.nonce = meta.content;
  return node;
}
