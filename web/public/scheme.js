// Runs before the first paint, so that a page chosen to be dark never flashes white. It is a file of its own, because the
// page's policy allows no script inside of the page.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('color-scheme');
  } catch (blocked) {
    // Without storage the system's scheme is right.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-color-scheme', dark ? 'dark' : 'light');
})();
