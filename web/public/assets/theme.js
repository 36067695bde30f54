// Runs before the first paint, so that a chosen theme never flashes the other one.
(function () {
  try {
    var theme = localStorage.getItem("bancada.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    var language = localStorage.getItem("bancada.language");
    if (language) document.documentElement.lang = language;
  } catch (_) {
    // Storage may be closed to us; the system's own preference is then used.
  }
})();
