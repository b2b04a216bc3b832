export type ClickVariant = { readonly name: string; readonly note: string; readonly code: string };

/** How the click ID gets from the shopper's browser into the store's database. */
export const clickVariants: readonly ClickVariant[] = [
  {
    name: 'In the form',
    note: 'Works with every store: the checkout sends the click, and the server stores it with the order.',
    code: `<form method="post" action="/checkout">
  <input type="hidden" name="click_id" id="click_id">
  …
</form>
<script>
  // When the form is sent, not when the page is shown: consent may be given in between.
  document.querySelector('form').addEventListener('submit', () => {
    document.getElementById('click_id').value = window.ServiceCapture?.getClick() ?? '';
  });
</script>`,
  },
  {
    name: 'With fetch',
    note: 'For a checkout that calls your server directly. Null means that no creator sent this shopper: store null, and report nothing.',
    code: `await fetch('/checkout', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...cart, click_id: window.ServiceCapture?.getClick() ?? null }),
});`,
  },
  {
    name: 'On the server',
    note: 'The cookie is your own site’s, so your server gets it with each request. Read it when the order is placed, for later it may be another one.',
    code: `-- One column beside the order, as text of up to 200 characters:
alter table orders add column click_id text;

// Then, for example with Express and cookie-parser:
app.post('/checkout', async (request, response) => {
  const clickId = request.cookies['_service_click'] ?? null;
  await placeOrder({ ...request.body, clickId });
});`,
  },
];
