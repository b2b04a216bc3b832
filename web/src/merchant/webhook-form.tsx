import { api } from '../api.ts';
import { Choice, Choices, TextField } from '../parts/fields.tsx';
import { faultOf, Form, type Values } from '../parts/form.tsx';
import { endpointPath, endpointsPath, type WebhookEndpoint } from './webhooks-api.ts';
import { eventWords } from './webhook-words.ts';

const urlLengthMax = 2_000;
const descriptionLengthMax = 200;

export type MadeEndpoint = WebhookEndpoint & { readonly secret: string };
type AddFormProps = { readonly store: string; readonly done: (made: MadeEndpoint) => unknown };

export function AddEndpointForm({ store, done }: AddFormProps) {
  return (
    <Form
      send={async (values, key) => api.post<MadeEndpoint>(endpointsPath(store), bodyOf(values), key)}
      done={done}
      submit="Add the endpoint"
    >
      <EndpointFields />
    </Form>
  );
}

type EditFormProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly done: () => unknown };

export function EditEndpointForm({ store, endpoint, done }: EditFormProps) {
  return (
    <Form send={async (values) => api.patch<WebhookEndpoint>(endpointPath(store, endpoint.id), bodyOf(values))} done={done} submit="Save">
      <EndpointFields now={endpoint} />
    </Form>
  );
}

function bodyOf(values: Values) {
  const events = values.all('events');
  if (events.length === 0) throw faultOf('events', 'Choose at least one.');
  const description = values.text('description');
  return { url: values.text('url'), description: description === '' ? null : description, events };
}

/** A new one is told everything unless somebody takes something out: what is missed is harder to see than what is too much. */
function EndpointFields({ now }: { readonly now?: WebhookEndpoint }) {
  return (
    <>
      <TextField
        name="url"
        label="Address"
        description="Of your own program. It begins with https:// and leads to the public internet."
        placeholder="https://shop.example/tributary"
        inputMode="url"
        maxLength={urlLengthMax}
        defaultValue={now?.url ?? ''}
        data-autofocus
      />
      <TextField
        name="description"
        label="What it is for"
        optional
        placeholder="Book-keeping"
        maxLength={descriptionLengthMax}
        defaultValue={now?.description ?? ''}
      />
      <Choices label="It is told of" name="events">
        {Object.entries(eventWords).map(([type, means]) => (
          <Choice
            key={type}
            name="events"
            value={type}
            label={<span className="mono">{type}</span>}
            description={means}
            defaultChecked={now === undefined || now.events.includes(type)}
          />
        ))}
      </Choices>
    </>
  );
}
