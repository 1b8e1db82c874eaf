// Before the first paint, so that a dark page never begins white.
(function () {
  var theme = 'system';
  try {
    theme = localStorage.getItem('theme') || 'system';
  } catch {
    // Storage may be switched off.
  }
  var isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();

// A file of this page that cannot be loaded may belong to another version of the server: the page of the present one is asked for, once.
(function () {
  var AGAIN_MS = 60_000;
  function reloadOnce(event) {
    try {
      var now = Date.now();
      if (now - Number(sessionStorage.getItem('reloadedAt') || 0) < AGAIN_MS) return;
      sessionStorage.setItem('reloadedAt', String(now));
    } catch {
      return; // Without a note of it the page might be loaded again and again.
    }
    event.preventDefault();
    location.reload();
  }
  addEventListener('vite:preloadError', reloadOnce);
  addEventListener(
    'error',
    function (event) {
      if (event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement) reloadOnce(event);
    },
    true,
  );
})();
