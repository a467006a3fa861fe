// Applies the chosen theme before the first paint. A script of its own, because the content security policy
// allows no inline scripts. Without a choice the stylesheet follows the system. See web/src/ui/theme.ts.
try {
  const theme = localStorage.getItem("kuromajutsu.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system decides.
}
