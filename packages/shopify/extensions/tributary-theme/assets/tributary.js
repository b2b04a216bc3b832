/* Keeps the click of a creator's link in the cart and in the forms of products, with consent to marketing. */
(function () {
  const attribute = 'rm_click';
  /* Shopify hides properties with an underscore from the shopper, and "Buy it now" keeps them. */
  const property = 'properties[_rm_click]';
  const forms = 'form[action*="/cart/add"]';
  let kept = null;

  function currentClick() {
    return (window.ServiceCapture && window.ServiceCapture.getClick()) || null;
  }

  function updateCart(value) {
    const attributes = {};
    attributes[attribute] = value;
    fetch(window.Shopify.routes.root + 'cart/update.js', {
      method: 'POST',
      keepalive: true,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ attributes: attributes }),
    }).catch(function () {});
  }

  function fillForm(form) {
    let input = form.querySelector('input[name="' + property + '"]');
    if (!kept) {
      if (input) input.remove();
      return;
    }
    if (!input) {
      input = document.createElement('input');
      input.type = 'hidden';
      input.name = property;
      form.appendChild(input);
    }
    input.value = kept;
  }

  function keep() {
    const click = currentClick();
    if (!click || click === kept) return;
    kept = click;
    updateCart(click);
    document.querySelectorAll(forms).forEach(fillForm);
  }

  function grant() {
    if (!window.ServiceCapture) return;
    window.ServiceCapture.grantConsent();
    keep();
  }

  function withdraw() {
    document.cookie = '_service_click=; Path=/; Max-Age=0';
    if (kept) updateCart('');
    kept = null;
    document.querySelectorAll(forms).forEach(fillForm);
  }

  /* Forms that the theme renders later. The capture phase comes before the theme's own handlers. */
  document.addEventListener(
    'click',
    function (event) {
      const form = event.target.closest && event.target.closest(forms);
      if (form) fillForm(form);
    },
    true,
  );

  document.addEventListener('visitorConsentCollected', function (event) {
    if (event.detail.marketingAllowed) grant();
    else withdraw();
  });

  if (window.Shopify && window.Shopify.loadFeatures) {
    window.Shopify.loadFeatures([{ name: 'consent-tracking-api', version: '0.1' }], function (error) {
      if (!error && window.Shopify.customerPrivacy.marketingAllowed()) grant();
    });
  }
})();
