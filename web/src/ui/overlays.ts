import { create } from "zustand";

/** Overlays of the page; at most one is open. */
export type Overlay =
  | { readonly kind: "palette" }
  | { readonly kind: "help" }
  | { readonly kind: "new-task"; readonly text?: string };

export const useOverlay = create<{ readonly overlay: Overlay | null }>(() => ({ overlay: null }));

export function openOverlay(overlay: Overlay): void {
  useOverlay.setState({ overlay });
}

export function closeOverlay(): void {
  useOverlay.setState({ overlay: null });
}
