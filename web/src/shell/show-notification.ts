/** A click opens the page. The tag makes tabs replace each other's notification. */
export function showNotification(
  title: string,
  body: string,
  tag: string,
  onClick: () => void,
): void {
  try {
    const notification = new Notification(title, { body, tag, icon: "/icon-192.png" });
    notification.onclick = () => {
      notification.close();
      onClick();
    };
  } catch {
    // Some phones allow notifications only from service workers.
  }
}

/** The page is visible, so no notification is needed. */
export function isWatched(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}
