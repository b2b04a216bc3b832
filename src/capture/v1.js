/*
 * The capture script, version 1: it keeps the click that brought a shopper, until a checkout asks for it.
 *
 * This is the source. Shops load v1.min.js, which scripts/build-capture.ts makes of it. It runs on strangers' pages, beside
 * strangers' code: it calls no network, throws nothing, touches neither the URL nor the history, and leaves one name on window.
 * Its syntax is ES5, so that an old browser parses it. Where that browser lacks URLSearchParams both methods are there, and no
 * click is captured.
 *
 * Version 1 is frozen: additions only. What a shop pastes today must still work in the page that nobody opens for five years.
 */
/* oxlint-disable no-unused-vars -- a catch without a name is not ES5 */
(function () {
  // A second copy of the script changes nothing: not the settings, not the click. Asking for the method and not only for the
  // name keeps an element with id="ServiceCapture", which browsers show as a property of window, from passing for a first copy.
  var earlier = window.ServiceCapture;
  if (earlier && typeof earlier.getClick === 'function') return;

  var isGranted = false;
  var maxAgeDays;
  var held;
  var isReturn;
  var paymentHost;

  // Settings that cannot be read leave consent ungranted: to lose a click is a pity, to store one unasked is a breach.
  try {
    // An <img name="currentScript"> takes the place of the real one; localName tells. Where no tag is found, none has settings.
    var script = document.currentScript;
    if (!script || script.localName !== 'script') {
      script = document.querySelector('script[src*="/api/pn/sdk/v1."]') || document.createElement('script');
    }
    var query = new URLSearchParams(('' + script.src).replace(/^[^?#]*|#.*/g, ''));

    isGranted = true;
    check('consent-mode', 'explicit', function (value) {
      isGranted = false;
      return value.trim().toLowerCase() === 'explicit';
    });
    check('max-age-days', 30, function (value) {
      var isValid = /^\d+$/.test(value) && value > 0 && value < 366;
      maxAgeDays = Math.min(maxAgeDays || 366, isValid ? value : 30);
      return isValid;
    });
    check('payment-links', 'none', function (value) {
      paymentHost = value;
      return value;
    });
  } catch (error) {}

  try {
    window.ServiceCapture = { getClick: getClick, grantConsent: grantConsent };

    // The address counts as it is now: later routes of the same document are no landings. Until consent, memory holds the click.
    var click = new URLSearchParams(location.search).get('rm_click');
    if (click && /^[\w.~-]{1,200}$/.test(click)) held = click;

    // A page that is prerendered and never shown was not visited.
    document.addEventListener('prerenderingchange', store);

    // Links to the payment page get the click when they are used: consent may come late, and links too. A press comes before the
    // menu that opens a link in a new tab; a key is only a click.
    document.addEventListener('mousedown', carryClick, true);
    document.addEventListener('click', carryClick, true);

    // The numbers are a reload and a step back in browsers older than PerformanceNavigationTiming.
    var navigation = performance.getEntriesByType('navigation')[0] || performance.navigation;
    isReturn = /^(reload|back_forward|1|2)$/.test(navigation.type);
  } catch (error) {}
  store();

  // A setting may stand on the tag, in the query of its address (tag managers strip data attributes), or in both. Both places
  // are judged, and the stricter one wins: any consent mode at all asks for consent, and of two ages the shorter counts.
  function check(setting, fallback, judge) {
    [script.getAttribute('data-rm-' + setting), query.get(setting)].forEach(function (value) {
      if (value !== null && !judge(value)) {
        console.warn('ServiceCapture: ' + setting + '="' + value + '" is not valid, ' + fallback + ' is used');
      }
    });
  }

  function grantConsent() {
    isGranted = true;
    store();
  }

  // A cookie of our name that has another shape was written by somebody else. In a sandboxed frame the reading throws.
  function getClick() {
    try {
      var found = isGranted && /(^|; )_service_click=([\w.~-]{1,200})(;|$)/.exec(document.cookie);
      if (found) return found[2];
    } catch (error) {}
    return null;
  }

  // Stripe's Payment Links take nothing else from their address. A reference that the store has set stays.
  function carryClick(event) {
    try {
      var link = event.target.closest('a');
      var reference = getClick();
      if (reference && link.host === paymentHost && !/[?&]client_reference_id=/.test(link.search)) {
        link.search += (link.search ? '&' : '?') + 'client_reference_id=' + reference;
      }
    } catch (error) {}
  }

  // A held click is stored once: shops grant on every route, and a second write would give the cookie a longer life, or put
  // this page's click over one that another tab has stored since.
  function store() {
    if (!held || !isGranted || document.prerendering === true) return;
    try {
      // A reload of last week's tab is no new click; the reload of a consent manager must not lose one. The times decide.
      var stored = isReturn && getClick();
      if (!stored || timeOf(held) > timeOf(stored)) {
        // By protocol, not by isSecureContext: WebKit calls http://localhost secure and drops a Secure cookie there.
        var secure = location.protocol === 'https:' ? '; Secure' : '';
        document.cookie = '_service_click=' + held + '; Path=/; Max-Age=' + (maxAgeDays || 30) * 86400 + '; SameSite=Lax' + secure;
      }
    } catch (error) {}
    held = null;
  }

  // Our IDs begin with a UUIDv7 in base64url, whose first eight characters are 48 bits of time. As text of six bytes they compare
  // like the number. Another ID has no time, and NaN compares false with everything.
  function timeOf(id) {
    var time = /^rm[cv]_([\w-]{8})/.exec(id);
    return time ? atob(time[1].replace(/-/g, '+').replace(/_/g, '/')) : NaN;
  }
})();
