// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  try {
    const theme = localStorage.getItem("kuromajutsu.docs.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the system's preference counts.
  }
})();
