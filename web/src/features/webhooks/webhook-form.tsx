import { api } from '../../api/client.ts';
import type { WebhookEndpoint, CreatedWebhookEndpoint } from '../../../../sdk/src/api-schema.ts';
import type { RequestBody } from '../../api/operations.ts';
import { CheckboxOption, CheckboxGroup, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { endpointPath, endpointsPath } from './webhooks-api.ts';
import { eventDescriptions } from './webhook-events.ts';
import { t } from './messages.ts';

const urlLengthMax = 2_000;
const descriptionLengthMax = 200;

type WebhookEvent = RequestBody<'/stores/{store}/webhook-endpoints', 'post'>['events'][number];
type AddFormProps = { readonly store: string; readonly done: (made: CreatedWebhookEndpoint) => unknown };

export function AddEndpointForm({ store, done }: AddFormProps) {
  return (
    <Form
      send={async (values, key) => api.post(endpointsPath(store), requestBody(values), key)}
      done={done}
      submit={t.webhook_form.add_endpoint}
    >
      <EndpointFields />
    </Form>
  );
}

type EditFormProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly done: () => unknown };

export function EditEndpointForm({ store, endpoint, done }: EditFormProps) {
  return (
    <Form
      send={async (values) => api.patch(endpointPath(store, endpoint.id), requestBody(values))}
      done={done}
      submit={t.webhook_form.save}
    >
      <EndpointFields now={endpoint} />
    </Form>
  );
}

function requestBody(values: Values) {
  const events = values.options<WebhookEvent>('events');
  if (events.length === 0) throw fieldError('events', t.webhook_form.select_at_least_one);
  const description = values.text('description');
  return { url: values.text('url'), description: description === '' ? null : description, events };
}

/** All events are selected by default: a missing event is harder to notice than an unneeded one. */
function EndpointFields({ now }: { readonly now?: WebhookEndpoint }) {
  return (
    <>
      <TextField
        name="url"
        label={t.webhook_form.url}
        description={t.webhook_form.must_start_with_https_and}
        placeholder="https://shop.example/tributary"
        inputMode="url"
        maxLength={urlLengthMax}
        defaultValue={now?.url ?? ''}
        data-autofocus
      />
      <TextField
        name="description"
        label={t.webhook_form.description}
        optional
        placeholder={t.webhook_form.accounting}
        maxLength={descriptionLengthMax}
        defaultValue={now?.description ?? ''}
      />
      <CheckboxGroup label={t.webhook_form.events} name="events">
        {Object.entries(eventDescriptions).map(([type, means]) => (
          <CheckboxOption
            key={type}
            name="events"
            value={type}
            label={<span className="mono">{type}</span>}
            description={means}
            defaultChecked={now === undefined || now.events.includes(type)}
          />
        ))}
      </CheckboxGroup>
    </>
  );
}
