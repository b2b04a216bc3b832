/* Grants consent to the capture script when the WP Consent API reports it for the category "marketing". */
(function () {
  'use strict';
  function grantIfAllowed() {
    if (!window.wp_has_consent || !window.wp_has_consent('marketing')) return;
    if (window.ServiceCapture) window.ServiceCapture.grantConsent();
    else document.addEventListener('load', grantIfAllowed, { capture: true, once: true });
  }
  document.addEventListener('wp_consent_type_defined', grantIfAllowed);
  document.addEventListener('wp_listen_for_consent_change', grantIfAllowed);
  // Some consent managers set the consent type later; until then every category counts as allowed.
  window.addEventListener('load', function () {
    if (!window.waitfor_consent_hook) grantIfAllowed();
  });
})();
